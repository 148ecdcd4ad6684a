// Checks that no file of src or test reaches into a library past what its types declare: an update can break that silently. Run
// by `npm run lint`.
import { globSync, readFileSync } from 'node:fs';

/** What may stay, and why. */
const ALLOWED = {
  'test/live/slow-readers.e2e-spec.ts':
    'stops the socket of a client, which socket.io-client cannot be told to do',
  'test/support/database/lock-order.ts':
    'watches the warnings of all loggers of an application that other specs share',
};
const MAX_ALLOWED = 3;

/** Files that are being rewritten. An entry that is not needed any more has to go. */
const UNTIL_REWRITTEN = [
  'src/platform/database/connections/semaphore.spec.ts',
  'src/platform/http/input/misspelt-fields.spec.ts',
  'src/platform/http/uploads/storage-engine.ts',
];

const IMPORT = /^import\s+(?:type\s+)?([^;]*?)\s+from\s+'([^']+)';/gm;
const UNDECLARED = [
  [/\bas\s+unknown\s+as\b/, 'as unknown as'],
  [/[\w)\]](?:\?\.)?\[['"]_\w+['"]\]/, 'a private member by its name'],
];

const found = new Map();
for (const file of globSync('{src,test}/**/*.{ts,tsx}')) {
  const text = readFileSync(file, 'utf8');
  const reasons = UNDECLARED.filter(([pattern]) => pattern.test(text)).map(([, what]) => what);
  for (const name of importedFromPackages(text)) {
    if (new RegExp(`\\b${name}\\.prototype\\b`).test(text)) reasons.push(`${name}.prototype of a library`);
  }
  if (reasons.length > 0) found.set(file, reasons);
}

const known = [...Object.keys(ALLOWED), ...UNTIL_REWRITTEN];
const problems = [...found].flatMap(([file, reasons]) =>
  known.includes(file) ? [] : [`${file}: no ${reasons.join(', no ')}; in a test, use fake() of test/support`],
);
for (const file of known)
  if (!found.has(file))
    problems.push(`${file} reaches into no library: remove it from check-library-members.mjs`);
if (Object.keys(ALLOWED).length > MAX_ALLOWED)
  problems.push(`More than ${MAX_ALLOWED} files may reach into libraries`);

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

function importedFromPackages(text) {
  return [...text.matchAll(IMPORT)]
    .filter(([, , specifier]) => !specifier.startsWith('.'))
    .flatMap(([, names]) => names.replaceAll(/[{}]|\btype\b/g, ' ').split(','))
    .map((name) =>
      name
        .split(/\bas\b/)
        .at(-1)
        .trim(),
    )
    .filter((name) => /^\w+$/.test(name));
}
