import { createdTables, findProblems } from './migration-rules';

const EXISTING = new Set(['calls', 'tenants']);

const sourceOf = (sql: string) => `
export class Probe1780000000099 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(\`${sql}\`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE calls');
  }
}
`;

const ADD = 'ALTER TABLE calls ADD CONSTRAINT calls_x_check CHECK (x > 0) NOT VALID';
const VALIDATE = 'ALTER TABLE calls VALIDATE CONSTRAINT calls_x_check';

const notNull = (column: string) => `ALTER TABLE calls ALTER ${column} SET NOT NULL`;

const problemsOf = (...migrations: string[]) =>
  findProblems(
    migrations.map((sql, index) => ({ name: `${index}`, source: sourceOf(sql) })),
    EXISTING,
  ).map(({ table, text }) => `${table} ${text}`);

describe('what a migration must not do to a table of the previous release', () => {
  it.each([
    ['CREATE INDEX calls_x_idx ON calls (x)', 'builds an index while nobody can write: use buildIndex'],
    [
      'CREATE UNIQUE INDEX IF NOT EXISTS calls_x_key\n  ON public.calls (x)',
      'builds an index while nobody can write: use buildIndex',
    ],
    ['CREATE INDEX ON calls (x)', 'builds an index while nobody can write: use buildIndex'],
    ['DROP TABLE calls', 'drops the table'],
    ['DROP TABLE IF EXISTS probes, calls CASCADE', 'drops the table'],
    ['TRUNCATE calls', 'removes all rows'],
    ['VACUUM FULL calls', 'rewrites the table'],
    ['ALTER TABLE calls DROP x', 'drops a column'],
    ['ALTER TABLE calls ADD y text, DROP COLUMN IF EXISTS x', 'drops a column'],
    ['alter table only public.calls drop column x', 'drops a column'],
    ['ALTER TABLE calls RENAME x TO y', 'renames something'],
    ['ALTER TABLE calls RENAME TO talks', 'renames something'],
    ['ALTER TABLE calls ALTER x TYPE bigint', 'changes a type'],
    ['ALTER TABLE calls ALTER COLUMN x SET DATA TYPE numeric(4, 2) USING x', 'changes a type'],
    ['ALTER TABLE calls ALTER x ADD GENERATED ALWAYS AS IDENTITY', 'rewrites the table'],
    ['ALTER TABLE calls SET UNLOGGED', 'rewrites or moves the table'],
    ['ALTER TABLE calls ADD CHECK (x > 0)', 'reads all rows: add NOT VALID'],
    [
      'ALTER TABLE calls ADD CONSTRAINT calls_x_fkey FOREIGN KEY (x, y) REFERENCES tenants',
      'reads all rows: add NOT VALID',
    ],
    [
      'ALTER TABLE calls ADD CONSTRAINT calls_x_key UNIQUE (x)',
      'builds an index while nobody can write: use buildIndex and USING INDEX',
    ],
    [
      'ALTER TABLE calls ADD x integer NOT NULL',
      'adds a column that the previous release does not fill: add a default',
    ],
    ['ALTER TABLE calls ADD x bigserial', 'rewrites the table'],
    ['ALTER TABLE calls ADD x text GENERATED ALWAYS AS (upper(y)) STORED', 'rewrites the table'],
    ['ALTER TABLE calls ADD x uuid NOT NULL DEFAULT gen_random_uuid()', 'rewrites the table'],
    [
      'ALTER TABLE calls ADD COLUMN x uuid REFERENCES tenants',
      'reads all rows: add the constraint as NOT VALID',
    ],
    [
      'ALTER TABLE calls ALTER x SET NOT NULL',
      'reads all rows: first add CHECK (x IS NOT NULL) NOT VALID and validate it',
    ],
  ])('%s', (sql, problem) => {
    expect(problemsOf(sql)).toEqual([`calls ${problem}`]);
    // Also among others, and not where the table is new.
    expect(problemsOf(`SELECT 1; ${sql}; SELECT 2`)).toEqual([`calls ${problem}`]);
    expect(problemsOf(sql.replaceAll('calls', 'probes'))).toEqual([]);
  });

  it.each([
    'CREATE INDEX CONCURRENTLY calls_x_idx ON calls (x)',
    'CREATE TABLE probes (id uuid NOT NULL PRIMARY KEY REFERENCES calls, x text UNIQUE)',
    'ALTER TABLE calls ADD x integer, ADD COLUMN IF NOT EXISTS "y" text[] NOT NULL DEFAULT \'{}\'',
    'ALTER TABLE calls ADD at timestamptz NOT NULL DEFAULT now()',
    'ALTER TABLE calls ADD CONSTRAINT calls_x_check CHECK (x > 0) NOT VALID',
    'ALTER TABLE calls VALIDATE CONSTRAINT calls_x_check',
    'ALTER TABLE calls DROP CONSTRAINT calls_x_check, ALTER x DROP NOT NULL, ALTER y SET DEFAULT 1',
    'ALTER TABLE calls ADD CONSTRAINT calls_x_key UNIQUE USING INDEX calls_x_key',
    'ALTER TABLE calls ENABLE ROW LEVEL SECURITY',
    '-- DROP TABLE calls',
    'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN TRUNCATE calls; DROP TABLE calls; END $$',
  ])('may be done: %s', (sql) => expect(problemsOf(sql)).toEqual([]));

  it.each([
    ['in statements', `${ADD}; ${VALIDATE}`],
    ['in one statement', `${ADD}, VALIDATE CONSTRAINT calls_x_check`],
    [
      'with other names',
      'alter table only public.calls add constraint "calls_x_check" CHECK (x > 0) NOT VALID; ' + VALIDATE,
    ],
  ])('a constraint is added and validated at once: %s', (_how, sql) => {
    expect(problemsOf(sql)).toEqual([
      'calls reads all rows under the lock of the addition: validate in a later migration',
    ]);
  });

  it.each([
    ['by two migrations', [ADD, VALIDATE]],
    ['of another name', [`${ADD}; ALTER TABLE calls VALIDATE CONSTRAINT calls_y_check`]],
    ['of another table', [`${ADD.replaceAll('calls', 'tenants')}; ${VALIDATE}`]],
    ['of a new table', [`${ADD}; ${VALIDATE}`.replaceAll('calls', 'probes')]],
  ])('a constraint may be added and validated: %s', (_how, migrations) => {
    expect(problemsOf(...migrations)).toEqual([]);
  });

  it('a constraint may be added and validated by a migration without a transaction', () => {
    const source = sourceOf(`${ADD}; ${VALIDATE}`).replace(' {\n', ' {\n  readonly transaction = false;\n\n');
    expect(findProblems([{ name: '0', source }], EXISTING)).toEqual([]);
    const commented = source.replace('readonly', '// readonly');
    expect(findProblems([{ name: '0', source: commented }], EXISTING)).toHaveLength(1);
  });

  it('a column is not null after an earlier migration has checked it', () => {
    const check = 'ALTER TABLE calls ADD CONSTRAINT calls_x_check CHECK (x IS NOT NULL) NOT VALID';
    const validate = 'ALTER TABLE calls VALIDATE CONSTRAINT calls_x_check';
    expect(problemsOf(check, validate, notNull('x'))).toEqual([]);
    expect(problemsOf(check, validate, notNull('y'))).toHaveLength(1);
    expect(problemsOf(`${check}; ${notNull('x')}`)).toHaveLength(1);
  });
});

it('knows the tables that migrations create', () => {
  expect(
    createdTables(['CREATE TABLE a (', 'create table if not exists b (id int); CREATE TABLE c (']),
  ).toEqual(new Set(['a', 'b', 'c']));
});
