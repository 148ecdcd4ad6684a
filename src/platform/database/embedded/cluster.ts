import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chown,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries';
import { commandFor, type Runner } from './runner';

const run = promisify(execFile);

/** The builtin locale sorts and compares the same on every machine, whatever its C library. */
const INITDB_FLAGS = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--no-instructions',
];

/** Where everything of an embedded server lies, all below its data folder. */
export interface ClusterPaths {
  dataDir: string;
  clusterDir: string;
  passwordFile: string;
  logFile: string;
}

/** Creates the data folder, closed to others, when it is missing; the paths hold no symbolic link above them. */
export async function prepareDataDir(path: string): Promise<ClusterPaths> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(path);
  return {
    dataDir,
    clusterDir: join(dataDir, 'postgres'),
    passwordFile: join(dataDir, 'postgres.password'),
    logFile: join(dataDir, 'postgres.log'),
  };
}

/** Initializes the cluster at the first start, makes it the runner's at every one. Returns the password. */
export async function prepareCluster(
  paths: ClusterPaths,
  binaries: Binaries,
  runner: Runner,
  durable: boolean,
): Promise<string> {
  const initialized = existsSync(join(paths.clusterDir, 'PG_VERSION'));
  const password = initialized ? await readPassword(paths) : await ensurePassword(paths);
  await giveTo(runner, paths.passwordFile);
  if (initialized) await giveTo(runner, paths.clusterDir);
  else await initialize(paths, binaries, runner, durable);
  return password;
}

/** @throws Error saying what to do when the password of an existing cluster cannot be read */
export async function readPassword({ passwordFile, clusterDir }: ClusterPaths): Promise<string> {
  try {
    return (await readFile(passwordFile, 'utf8')).trim();
  } catch (error) {
    throw new Error(
      `The database in ${clusterDir} needs the password in ${passwordFile}, which cannot be read ` +
        `(${(error as Error).message}): restore that file, or move the folder away to begin with an empty one.`,
      { cause: error },
    );
  }
}

/** Written before the cluster that depends on it, and whole before it has its name. */
async function ensurePassword({ passwordFile }: ClusterPaths): Promise<string> {
  if (existsSync(passwordFile)) return (await readFile(passwordFile, 'utf8')).trim();
  const password = randomBytes(24).toString('hex');
  const draft = `${passwordFile}.new`;
  const file = await open(draft, 'w', 0o600);
  await file.writeFile(`${password}\n`);
  await file.sync();
  await file.close();
  await rename(draft, passwordFile);
  return password;
}

/**
 * Runs initdb in a folder of its own and gives that the final name once complete, so that one which was cut
 * short is never taken for a cluster. Remains of such are removed.
 */
async function initialize(
  paths: ClusterPaths,
  { initdb }: Binaries,
  runner: Runner,
  durable: boolean,
): Promise<void> {
  await removeUnfinished(paths.dataDir);
  const draft = await mkdtemp(join(paths.dataDir, 'postgres.init-'));
  await giveTo(runner, draft);
  const flags = [...INITDB_FLAGS, `--pgdata=${draft}`, `--pwfile=${paths.passwordFile}`];
  const { file, args, options } = commandFor(runner, initdb, durable ? flags : [...flags, '--no-sync']);
  await run(file, args, options).catch(async (error: Error & { stderr?: string }) => {
    await rm(draft, { recursive: true, force: true });
    const reason = error.stderr?.trim() || error.message;
    throw new Error(`The embedded PostgreSQL could not be initialized: ${reason}`, { cause: error });
  });
  await rename(draft, paths.clusterDir);
  if (durable) await syncFolder(paths.dataDir);
}

async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('postgres.init-')) continue;
    // What cannot go now, since the initdb in it is only just dying, goes at another time: it is in nobody's way.
    const remains = join(dataDir, name);
    await rm(remains, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

/** The folder itself comes last: when this is cut short, the next start sees the old owner and repeats it. */
async function giveTo(runner: Runner, path: string): Promise<void> {
  const uid = runner.user?.uid ?? process.getuid?.() ?? -1;
  const gid = runner.user?.gid ?? process.getgid?.() ?? -1;
  const found = await stat(path);
  if (found.uid === uid || process.getuid?.() !== 0) return;
  const inside = found.isDirectory() ? await readdir(path, { recursive: true }) : [];
  for (const name of inside) await lchown(join(path, name), uid, gid);
  await chown(path, uid, gid);
}

/** Without it the rename may be lost when the power fails, and with it the cluster. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}
