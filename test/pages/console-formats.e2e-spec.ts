import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CONSOLE = join(__dirname, '../../web/console');

/** The files that write days, times and numbers for all others, and one that reads what a clock shows. */
const FORMATTERS = new Set(['ui/dates.ts', 'ui/numbers.ts', 'ui/wall-time.ts']);

const sources = globSync('**/*.{ts,tsx}', {
  cwd: CONSOLE,
  exclude: (name) => name.endsWith('.spec.ts'),
}).map((file): [file: string, source: string] => [file, readFileSync(join(CONSOLE, file), 'utf8')]);

const filesWith = (pattern: RegExp): string[] =>
  sources.filter(([, source]) => pattern.test(source)).map(([file]) => file);

it('the console writes days, times and numbers in one place, by the language of the user', () => {
  const writing = /new Intl\.(DateTime|Number)Format|\.toLocale(Date|Time)?String\(/;
  expect(filesWith(writing).filter((file) => !FORMATTERS.has(file))).toEqual([]);
});

// `DateInput` has the browser's calendar, whose type is computed.
it('the console has no field of the browser for days, which follows the language of the browser', () => {
  expect(filesWith(/\btype(=|: )["'](date|datetime-local)["']/)).toEqual([]);
});
