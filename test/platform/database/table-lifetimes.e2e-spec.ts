import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIABLES } from '../../../src/platform/config/variables';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

const PAGE = readFileSync(join(__dirname, '../../../docs/privacy.md'), 'utf8');

/** The rows of the page's table: table, data, how long it is kept, what an erasure does. */
const ROWS = [...PAGE.matchAll(/^\| `(\w+)` +\| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(
  ([, table = '', ...cells]) => ({
    table,
    cells: cells.map((cell) => cell.trim()),
  }),
);

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});

afterAll(() => test.close());

it('docs/privacy.md says of every table what it contains and how long it is kept', async () => {
  const { rows } = await test.db.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  expect(ROWS.map(({ table }) => table).sort()).toEqual(rows.map(({ table_name }) => table_name).sort());
  for (const { cells } of ROWS) expect(cells).not.toContain('');
});

it('names only variables that exist', () => {
  const names = ROWS.flatMap(({ cells }) => cells.join(' ').match(/(?<=`)[A-Z_]{4,}(?=`)/g) ?? []);
  expect(names.length).toBeGreaterThan(0);
  expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(names));
});
