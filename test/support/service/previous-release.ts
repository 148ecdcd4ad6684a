import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from './built-service';

const run = promisify(execFile);

/** The commit of the previous release, whose instances serve while this one is rolled out. */
const COMMIT = readFileSync(join(REPOSITORY, '.ci', 'previous-release'), 'utf8').trim();

const MISSING = `The commit ${COMMIT} of .ci/previous-release is not in this clone: git fetch --depth=1 origin ${COMMIT}`;

function hasCommit(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { cwd: REPOSITORY, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * `describe` for specs that need the previous release. In a clone without its commit they are skipped with a notice, and fail
 * where CI=true, because nobody would notice there.
 */
export function describeWithPreviousRelease(name: string, tests: () => void): void {
  if (hasCommit() || process.env.CI === 'true') return describe(name, tests);
  process.stderr.write(`NOTICE: skipped "${name}". ${MISSING}\n`);
  describe.skip(name, tests);
}

/**
 * Builds the server of the previous release unless it has been built before.
 * @returns its folder
 * @throws Error if the clone does not have its commit
 */
export async function buildPreviousRelease(): Promise<string> {
  if (!hasCommit()) throw new Error(MISSING);
  const { stdout } = await run(process.execPath, ['scripts/build-previous-release.mjs'], { cwd: REPOSITORY });
  return stdout.trim();
}
