// Checks that no file of src or test reaches into a library past what its types declare: an update can break that silently. Run
// by `npm run lint`.
import { globSync, readFileSync } from 'node:fs';

const IMPORT = /^import\s+(?:type\s+)?([^;]*?)\s+from\s+'([^']+)';/gm;
const UNDECLARED = [
  [/\bas\s+unknown\s+as\b/, 'as unknown as'],
  [/[\w)\]](?:\?\.)?\[['"]_\w+['"]\]/, 'a private member by its name'],
];

const problems = globSync('{src,test}/**/*.{ts,tsx}').flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  const reasons = UNDECLARED.filter(([pattern]) => pattern.test(text)).map(([, what]) => what);
  for (const name of importedFromPackages(text)) {
    if (new RegExp(`\\b${name}\\.prototype\\b`).test(text)) reasons.push(`${name}.prototype of a library`);
  }
  return reasons.map((reason) => `${file}: no ${reason}; in a test, use fake() of test/support`);
});

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
