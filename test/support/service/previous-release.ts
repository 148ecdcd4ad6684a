import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from './built-service';

const run = promisify(execFile);

/** The commit of the previous release, whose instances serve while this one is rolled out. */
const COMMIT = readFileSync(join(REPOSITORY, '.ci', 'previous-release'), 'utf8').trim();
const MODULES = join(REPOSITORY, 'node_modules');
const CACHE = join(MODULES, '.cache', 'video-queue-previous-release');

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
  const built = join(CACHE, COMMIT);
  if (existsSync(built)) return built;
  if (!hasCommit()) throw new Error(MISSING);
  // Not in the cache: TypeScript takes files below node_modules for those of a library, and compiles none.
  const folder = mkdtempSync(join(tmpdir(), 'previous-release-'));
  try {
    await run('bash', ['-c', `set -o pipefail; git archive ${COMMIT} | tar -x -C "$1"`, 'bash', folder], {
      cwd: REPOSITORY,
    });
    const own = join(folder, 'node_modules');
    const hasSamePackages = hasPackagesOf(folder);
    if (hasSamePackages) symlinkSync(MODULES, own);
    else await run('npm', ['ci'], { cwd: folder });
    await run(process.execPath, [join(own, '@nestjs', 'cli', 'bin', 'nest.js'), 'build'], { cwd: folder });
    // In the cache, Node finds the same packages in the folder around it.
    if (hasSamePackages) rmSync(own);
    keep(folder, built);
    return built;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Moves it there at once, so that an interrupted copy is not taken for a build. */
function keep(folder: string, built: string): void {
  const copy = `${built}.${process.pid}`;
  mkdirSync(CACHE, { recursive: true });
  cpSync(folder, copy, { recursive: true });
  renameSync(copy, built);
}

/** Whether this release has all packages of that one in the same versions, besides others perhaps. */
function hasPackagesOf(folder: string): boolean {
  const own = readPackages(REPOSITORY);
  return Object.entries(readPackages(folder)).every(
    ([path, { version }]) => path === '' || own[path]?.version === version,
  );
}

/** The packages of a lock file by their path; that of the folder itself has the path ''. */
function readPackages(folder: string): Record<string, { version?: string }> {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  return lock.packages;
}
