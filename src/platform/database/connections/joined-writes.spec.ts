import { joinedWrites } from './joined-writes';

const insert = (table: string, count: number) => ({
  text: `INSERT INTO ${table} VALUES (${Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')})`,
  values: Array.from({ length: count }, (_, index) => `${table} ${index + 1}`),
});

describe('joinedWrites', () => {
  it('leaves a single statement as it is', () => {
    const statement = insert('a', 2);
    expect(joinedWrites([statement])).toBe(statement);
  });

  it('numbers the parameters of each statement after those of the ones before it', () => {
    const { text, values } = joinedWrites([insert('a', 11), { text: 'DELETE FROM b' }, insert('c', 2)]);
    expect(text).toBe(
      'WITH w0 AS (INSERT INTO a VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)), w1 AS (DELETE FROM b) ' +
        'INSERT INTO c VALUES ($12, $13)',
    );
    expect(values).toHaveLength(13);
    expect(values?.slice(-2)).toEqual(['c 1', 'c 2']);
  });

  it('has one text for the same texts, whatever their values are', () => {
    const [one, other] = [1, 2].map((value) =>
      joinedWrites([{ text: 'UPDATE a SET x = $1', values: [value] }, insert('b', 1)]),
    );
    expect(one?.text).toBe(other?.text);
    expect([one?.values?.[0], other?.values?.[0]]).toEqual([1, 2]);
  });
});
