// Checks the migrations that the previous release does not have: they run while its instances serve. Run by `npm run lint`.
// Node strips the types of the imported rules itself.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createdTables, findProblems } from './migration-rules.ts';

/** What may be done nevertheless, as docs/decisions/0082-expand-and-contract.md says. */
const EXCEPTIONS = [
  { name: '0076-unsigned-erasures', table: 'erasures', reason: 'it has few rows' },
  { name: '0078-receipt-keys', table: 'receipt_keys', reason: 'no release has written to it' },
];

const commit = readFileSync('.ci/previous-release', 'utf8').trim();
const former = formerMigrations();
if (former) check(former);

function check(former) {
  const migrations = globSync('migrations/[0-9]*.ts')
    .sort()
    .map((file) => ({ name: basename(file, '.ts'), source: readFileSync(file, 'utf8') }));
  const old = migrations.filter(({ name }) => former.has(name)).map(({ source }) => source);
  const found = findProblems(
    migrations.filter(({ name }) => !former.has(name)),
    createdTables(old),
  );
  const problems = found
    .filter((problem) => !EXCEPTIONS.some((exception) => isException(problem, exception)))
    .map(({ name, table, text }) => `migrations/${name}.ts: ${table}: ${text}`);
  for (const exception of EXCEPTIONS) {
    if (!found.some((problem) => isException(problem, exception)))
      problems.push(`check-migrations.mjs has an exception for ${exception.name}, which is not used`);
  }
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exitCode = 1;
  }
}

function isException({ name, table }, exception) {
  return exception.name === name && exception.table === table;
}

/** The names of the previous release's migrations; undefined where the clone does not have its commit. */
function formerMigrations() {
  try {
    const files = execFileSync('git', ['ls-tree', '--name-only', commit, 'migrations/'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return new Set(files.split('\n').map((file) => basename(file, '.ts')));
  } catch {
    const notice = `The commit ${commit} of .ci/previous-release is missing: git fetch --depth=1 origin ${commit}`;
    console.error(`NOTICE: the migrations were not checked. ${notice}`);
    // Nobody would notice there.
    if (process.env.CI === 'true') process.exitCode = 1;
    return undefined;
  }
}
