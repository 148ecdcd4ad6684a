import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIABLES } from '../../../src/platform/config/variables';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

const PAGE = readFileSync(join(__dirname, '../../../docs/privacy.md'), 'utf8');

/** The rows of the page's table: table, data, purpose, how long it is kept, what an erasure does. */
const ROWS = [...PAGE.matchAll(/^\| `(\w+)` +\| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(
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

it('docs/privacy.md says of every table what it contains, why and how long it is kept', async () => {
  const { rows } = await test.db.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  expect(ROWS.map(({ table }) => table).sort()).toEqual(rows.map(({ table_name }) => table_name).sort());
  for (const { cells } of ROWS) expect(cells).not.toContain('');
});

/** A row is deleted by its age, with another row or when it has served; or the page says why it stays. */
const LIFETIMES = [
  /`(?:[A-Z_]+|recording_retention_days)`|\d+ (days?|hours|minutes)|a minute|a day/,
  /^as long as |^while |^until |^the newest /,
  /^the tenant(:|;|$)|^ids and effects the tenant, since /,
  /^without limit(,|$)|^one row/,
];

it('gives every table an age, another record that it is deleted with, or a reason to stay', () => {
  const unexplained = ROWS.filter(({ cells: [, , kept = ''] }) => !LIFETIMES.some((form) => form.test(kept)));
  expect(unexplained).toEqual([]);
});

it('begins each purpose with a legal basis of the page', () => {
  const bases = [...PAGE.matchAll(/^\| (\w+) +\| article 6/gm)].map(([, basis]) => basis);
  expect(bases).toContain('contract');
  const words = ROWS.flatMap(({ cells: [, purpose = ''] }) => purpose.match(/^[\w-]+/) ?? ['none']);
  expect([...bases, 'as', '-']).toEqual(expect.arrayContaining([...new Set(words)]));
});

it('names only variables that exist', () => {
  const names = ROWS.flatMap(({ cells }) => cells.join(' ').match(/(?<=`)[A-Z_]{4,}(?=`)/g) ?? []);
  expect(names.length).toBeGreaterThan(0);
  expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(names));
});
