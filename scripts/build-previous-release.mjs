// Builds the server of the previous release, whose commit is in .ci/previous-release, unless it has been built before, and
// prints its folder. `npm run test:operations` does so itself; CI does it before, outside of the limit of time of that.
import { execFileSync } from 'node:child_process';
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
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const COMMIT = readFileSync(join(REPOSITORY, '.ci', 'previous-release'), 'utf8').trim();
const MODULES = join(REPOSITORY, 'node_modules');
const CACHE = join(MODULES, '.cache', 'video-queue-previous-release');

const built = join(CACHE, COMMIT);
if (!existsSync(built)) build();
process.stdout.write(`${built}\n`);

function build() {
  // Not in the cache: TypeScript takes files below node_modules for those of a library, and compiles none.
  const folder = mkdtempSync(join(tmpdir(), 'previous-release-'));
  try {
    const extract = `set -o pipefail; git archive ${COMMIT} | tar -x -C "$1"`;
    run('bash', ['-c', extract, 'bash', folder], REPOSITORY);
    const own = join(folder, 'node_modules');
    const hasSamePackages = hasPackagesOf(folder);
    if (hasSamePackages) symlinkSync(MODULES, own);
    else run('npm', ['ci', '--ignore-scripts'], folder);
    run(process.execPath, [join(own, '@nestjs', 'cli', 'bin', 'nest.js'), 'build'], folder);
    // In the cache, Node finds the same packages in the folder around it.
    if (hasSamePackages) rmSync(own);
    keep(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What it prints goes to standard error: standard output is the folder. */
function run(program, args, cwd) {
  execFileSync(program, args, { cwd, stdio: ['ignore', process.stderr, process.stderr] });
}

/** Moves it there at once, so that an interrupted copy is not taken for a build. */
function keep(folder) {
  const copy = `${built}.${process.pid}`;
  mkdirSync(CACHE, { recursive: true });
  cpSync(folder, copy, { recursive: true });
  renameSync(copy, built);
}

/** Whether this release has all packages of that one in the same versions, besides others perhaps. */
function hasPackagesOf(folder) {
  const own = readPackages(REPOSITORY);
  return Object.entries(readPackages(folder)).every(
    ([path, { version }]) => path === '' || own[path]?.version === version,
  );
}

/** The packages of a lock file by their path; that of the folder itself has the path ''. */
function readPackages(folder) {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
}
