import { omitColumns, pickColumns, plainColumns, selectList } from './columns';

const COLUMNS = { ...plainColumns('c', ['id', 'name', 'size']), url: `'/calls/' || c.id` };

describe('columns', () => {
  it('become a SELECT list in their order', () => {
    expect(selectList(COLUMNS)).toBe(`c.id AS id, c.name AS name, c.size AS size, '/calls/' || c.id AS url`);
  });

  it('are picked in the order of the names', () => {
    expect(selectList(pickColumns(COLUMNS, ['url', 'name']))).toBe(
      `'/calls/' || c.id AS url, c.name AS name`,
    );
  });

  it('keep their order when some are omitted', () => {
    expect(Object.keys(omitColumns(COLUMNS, ['name']))).toEqual(['id', 'size', 'url']);
  });
});
