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

/** The builtin locale sorts and compares in the same way on every machine, whatever its C library. */
const INITDB_FLAGS = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--no-instructions',
];

/** The files of an embedded server, all in its data folder. */
export interface ClusterPaths {
  dataDir: string;
  clusterDir: string;
  passwordFile: string;
  logFile: string;
}

/** Creates the data folder with mode 700 when it is missing. The paths have their symbolic links resolved. */
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

/**
 * Initializes the cluster at the first start, and gives its files to the runner's user at every start.
 * @returns the superuser's password
 */
export async function prepareCluster(
  paths: ClusterPaths,
  binaries: Binaries,
  runner: Runner,
  durable: boolean,
): Promise<string> {
  const initialized = existsSync(join(paths.clusterDir, 'PG_VERSION'));
  const password = initialized ? await readPassword(paths) : await ensurePassword(paths);
  await changeOwner(runner, paths.passwordFile);
  await removeIncompleteClusters(paths.dataDir);
  if (initialized) await changeOwner(runner, paths.clusterDir);
  else await initialize(paths, binaries, runner, durable);
  return password;
}

/** @throws Error that says what to do when the password of an existing cluster cannot be read */
export async function readPassword({ passwordFile, clusterDir }: ClusterPaths): Promise<string> {
  try {
    return (await readFile(passwordFile, 'utf8')).trim();
  } catch (error) {
    throw new Error(
      `The database in ${clusterDir} needs the password in ${passwordFile}, which cannot be read ` +
        `(${(error as Error).message}): restore that file, or move the folder away to start with an empty database.`,
      { cause: error },
    );
  }
}

/** The password file is written before the cluster, and under another name until it is complete. */
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
 * Runs initdb in a temporary folder and renames that when it is complete, so that an interrupted initialization is
 * never mistaken for a cluster.
 */
async function initialize(
  paths: ClusterPaths,
  { initdb }: Binaries,
  runner: Runner,
  durable: boolean,
): Promise<void> {
  const draft = await mkdtemp(join(paths.dataDir, 'postgres.init-'));
  await changeOwner(runner, draft);
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

/** Removes the folders of interrupted initializations. */
async function removeIncompleteClusters(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('postgres.init-')) continue;
    // An initdb that is still ending can make this fail; the next start removes the folder.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

/** The folder itself is changed last: after an interruption, the next start sees the old owner and repeats this. */
async function changeOwner(runner: Runner, path: string): Promise<void> {
  const uid = runner.user?.uid ?? process.getuid?.() ?? -1;
  const gid = runner.user?.gid ?? process.getgid?.() ?? -1;
  const found = await stat(path);
  if (found.uid === uid || process.getuid?.() !== 0) return;
  const inside = found.isDirectory() ? await readdir(path, { recursive: true }) : [];
  for (const name of inside) await lchown(join(path, name), uid, gid);
  await chown(path, uid, gid);
}

/** A power failure could otherwise undo the rename. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}
