import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { lockDataDir } from '../../src/platform/database/embedded/data-dir-lock';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres';
import { UNSAFE_BUT_FAST } from '../support/database/debian-postgres';
import { ensureBuilt } from '../support/service/built-service';
import { isAlive as isRunning, killQuietly } from '../support/service/data-dir';

beforeAll(ensureBuilt, 600_000);

let dataDir: string;
let children: ChildProcess[];
let servers: EmbeddedPostgres[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
  children = [];
  servers = [];
});

afterEach(async () => {
  for (const child of children) await kill(child);
  for (const server of servers) await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('the embedded PostgreSQL', () => {
  it('creates the database at the first start and keeps its rows over a restart', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE t (v text)', `INSERT INTO t VALUES ('kept')`);
    await first.stop();
    await expect(query(first.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');

    const second = await start();

    expect(await query(second.url, 'SELECT v FROM t')).toEqual([{ v: 'kept' }]);
  });

  it('is not stopped by a second call of the stop of a former one', async () => {
    const first = await start();
    await first.stop();
    const second = await start();

    await first.stop();

    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('takes another port when the one that it has drawn is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const drawn = jest.spyOn(crypto, 'randomInt').mockImplementationOnce(() => port);

    const { url } = await start();

    expect(drawn.mock.calls.length).toBeGreaterThan(1);
    expect(new URL(url).port).not.toBe(String(port));
    drawn.mockRestore();
    other.close();
  });

  it('removes what killed starts and the former release have left', async () => {
    await mkdir(join(dataDir, 'postgres.init-123', 'base'), { recursive: true });
    for (const name of ['postgres.log.1', 'pg-password-1a2b', 'postgres.initial'])
      await writeFile(join(dataDir, name), '');

    await start();

    const files = await readdir(dataDir);
    expect(files.sort()).toEqual(['postgres', 'postgres.initial', 'postgres.log', 'postgres.password']);
  });

  it('is PostgreSQL 18 with the given settings and listens on loopback only', async () => {
    const { url } = await start({ max_connections: '17' });

    const [row] = await query(
      url,
      `SELECT current_setting('max_connections') AS connections, current_setting('fsync') AS fsync,
              current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets,
              current_setting('server_version_num')::int / 10000 AS version, current_user AS user,
              (SELECT datlocale FROM pg_database WHERE datname = current_database()) AS locale`,
    );

    expect(row).toEqual({
      connections: '17',
      fsync: 'off',
      addresses: '127.0.0.1',
      sockets: '',
      version: 18,
      user: 'postgres',
      locale: 'C.UTF-8',
    });
    expect(new URL(url)).toMatchObject({ hostname: '127.0.0.1', username: 'postgres', pathname: '/app' });
  });

  it('works below a private folder, keeps the password file private and requires the password', async () => {
    const parent = dataDir;
    await chmod(parent, 0o700);
    dataDir = join(parent, 'made', 'here');
    const { url } = await start();

    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    // embedded-postgres writes the password there, too.
    const environment = await readFile(`/proc/${parentOf(await postmasterPid())}/environ`, 'utf8');
    expect(environment.split('\0')).toContain(`TMPDIR=${dataDir}`);
    await expect(query(url.replace(/:[^:@]+@/, ':guess@'), 'SELECT 1')).rejects.toThrow(
      'password authentication',
    );
    await stopAll();
    dataDir = parent;
  });

  it('reports the end of its log when it cannot start', async () => {
    await expect(start({ no_such_setting: '1' })).rejects.toThrow(
      /did not start: its log .*postgres\.log ends:[^]*unrecognized configuration parameter "no_such_setting"/,
    );
  });

  it('recovers from an initialisation that was interrupted by a kill -9', async () => {
    const child = spawnChild('start');
    await until(async () => {
      const files = await readdir(join(dataDir, 'postgres.init')).catch(() => []);
      return files.length > 3 || existsSync(join(dataDir, 'postgres'));
    });
    const [host] = childrenOf(child.pid ?? 0);
    if (!host) throw new Error('the initialisation has no process');
    await killWithDescendants(host, child);

    const { url } = await start();

    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await readdir(dataDir)).not.toContain('postgres.init');
  });

  it('says that the folder has the data of another version', async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');

    await expect(start()).rejects.toThrow('initialized by PostgreSQL version 15, which is not compatible');
  });

  it.each([
    ['missing', (file: string) => rm(file)],
    ['empty', (file: string) => writeFile(file, '\n')],
  ])('names the missing file when the password is %s', async (_how, spoil) => {
    await (await start()).stop();
    await spoil(join(dataDir, 'postgres.password'));
    const snapshot = async () => [await readdir(dataDir), await readdir(join(dataDir, 'postgres'))];
    const before = await snapshot();

    await expect(start()).rejects.toThrow(
      /^The database in .*\/postgres needs the password in .*\/postgres\.password: restore that file, or move the folder away/,
    );
    expect(await snapshot()).toEqual(before);
  });

  it('replaces an empty password file as long as there is no database', async () => {
    await writeFile(join(dataDir, 'postgres.password'), '');

    const { url } = await start();

    expect(await readFile(join(dataDir, 'postgres.password'), 'utf8')).toBe(new URL(url).password);
    expect(new URL(url).password).toHaveLength(43);
  });

  it('fails immediately when the password is not the one of the cluster', async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, 'postgres.password'), 'another\n');

    await expect(start()).rejects.toThrow('password authentication failed');
    await until(async () => !(await readdir(join(dataDir, 'postgres'))).includes('postmaster.pid'));
  });
});

describe('a start after a service was killed', () => {
  it('finds that the server has ended with the service', async () => {
    const child = spawnChild('start');
    const { url } = await readResult<{ url: string }>(child);
    const pids = await serverPids();

    await kill(child);

    await waitUntilEnded(pids);
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('stops a server that is left over, because its host was killed as well, and loses no row', async () => {
    const child = spawnChild('start');
    const { url } = await readResult<{ url: string }>(child);
    await query(url, 'CREATE TABLE t (v int)', 'INSERT INTO t SELECT generate_series(1, 1000)');
    killQuietly(parentOf(await postmasterPid()));
    await kill(child);
    expect(await query(url, 'SELECT count(*)::int AS rows FROM t')).toEqual([{ rows: 1000 }]);

    const next = await start();

    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    expect(await query(next.url, 'SELECT count(*)::int AS rows FROM t')).toEqual([{ rows: 1000 }]);
  });

  it('recovers when the server was killed as well', async () => {
    const child = spawnChild('start');
    const { url } = await readResult<{ url: string }>(child);
    await query(url, 'CREATE TABLE t (v int)', 'INSERT INTO t SELECT generate_series(1, 1000)');
    const killed = await killWithDescendants(parentOf(await postmasterPid()), child);
    expect(killed.length).toBeGreaterThan(4);

    const next = await start();

    expect(await query(next.url, 'SELECT count(*)::int AS rows FROM t')).toEqual([{ rows: 1000 }]);
  });

  it.each([
    ['that of another program', 'echo $$; exec sleep 600', false],
    ['that of a zombie', 'sleep 600 & echo $!; exec sleep 600', true],
  ])('succeeds although the pid of the killed server is now %s', async (_whose, script, isZombie) => {
    const first = await start();
    await query(first.url, 'CREATE TABLE t (v text)', `INSERT INTO t VALUES ('kept')`);
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const lines = (await readFile(pidFile, 'utf8')).split('\n');
    await first.stop();
    const otherProcess = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(otherProcess);
    const pid = await readResult<number>(otherProcess);
    if (isZombie) {
      // After `exec`, because the shell would remove a child that has ended.
      const commandLine = () => readFile(`/proc/${otherProcess.pid}/cmdline`, 'utf8');
      await until(async () => (await commandLine()).startsWith('sleep'));
      process.kill(pid, 'SIGKILL');
      await waitUntilEnded([pid]);
    }
    await writeFile(pidFile, [pid, ...lines.slice(1)].join('\n'));

    const next = await start();

    expect(await query(next.url, 'SELECT v FROM t')).toEqual([{ v: 'kept' }]);
    expect(isAlive(pid)).toBe(true);
  });
});

describe('a start as root', () => {
  const asRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0 ? it : it.skip;

  asRootOnLinux(
    'runs as another user, also below private folders, and takes over the files of root',
    async () => {
      const first = await start();
      await query(first.url, 'CREATE TABLE t (v text)', `INSERT INTO t VALUES ('kept')`);
      await first.stop();
      const cluster = join(dataDir, 'postgres');
      expect((await stat(cluster)).uid).not.toBe(0);
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
      execFileSync('chown', ['-R', '0:0', cluster]);

      const next = await start();

      expect(await query(next.url, 'SELECT v FROM t')).toEqual([{ v: 'kept' }]);
      await next.stop();
      const moved = join(dataDir, 'disk');
      await rename(cluster, moved);
      await symlink(moved, cluster);
      execFileSync('chown', ['-R', '0:0', moved]);

      const linked = await start();

      expect(await query(linked.url, 'SELECT v FROM t')).toEqual([{ v: 'kept' }]);
    },
  );

  asRootOnLinux.each([
    ['fails', 'its log .*postgres.log ends'],
    ['is missing', 'spawn setpriv ENOENT'],
  ])('names the remedy when setpriv %s', async (how, reason) => {
    const bin = join(dataDir, 'bin');
    await mkdir(bin);
    if (how === 'fails') await symlink('/bin/false', join(bin, 'setpriv'));

    const { error } = await readResult<{ error: string }>(spawnChild('start', bin));

    expect(error).toMatch(
      new RegExp(`did not start: ${reason}.*as root it needs setpriv.*/etc/passwd.*set DATABASE_URL`, 's'),
    );
  });
});

describe('the lock of a data folder', () => {
  it('rejects a second service and names the remedy', async () => {
    const child = spawnChild('lock');
    await readResult(child);

    await expect(lockDataDir(dataDir)).rejects.toThrow(
      `DATA_DIR ${dataDir} is in use by another running service (process ${child.pid}). ` +
        'Stop it, or set DATA_DIR to another folder.',
    );
  });

  it('can be acquired again after its release, and a second release does not affect the next holder', async () => {
    const first = await lockDataDir(dataDir);
    await first.release();
    const second = await lockDataDir(dataDir);
    await first.release();

    await expect(lockDataDir(dataDir)).rejects.toThrow('is in use');
    await second.release();
    await (await lockDataDir(dataDir)).release();
  });

  it('is taken over from a process that was killed', async () => {
    const child = spawnChild('lock');
    await readResult(child);
    await kill(child);

    await (await lockDataDir(dataDir)).release();
  });

  it('is acquired by exactly one of many concurrent starts', async () => {
    const processes = [1, 2, 3].map(() => spawnChild('lock'));
    const outcomes = await Promise.all(processes.map((child) => readResult<{ locked?: true }>(child)));
    const again = await Promise.allSettled(Array.from({ length: 5 }, () => lockDataDir(dataDir)));

    expect(outcomes.filter(({ locked }) => locked)).toHaveLength(1);
    expect(again.filter(({ status }) => status === 'fulfilled')).toHaveLength(0);
  });

  it('is acquired by exactly one of many concurrent calls in every round', async () => {
    for (let round = 0; round < 25; round += 1) {
      const calls = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dataDir)));
      const acquired = calls.filter((call) => call.status === 'fulfilled');
      expect(acquired).toHaveLength(1);
      await acquired[0]?.value.release();
    }
  });
});

async function start(settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(dataDir, 'app', { ...UNSAFE_BUT_FAST, ...settings });
  servers.push(server);
  return server;
}

async function stopAll(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop();
}

/** Runs the statements in order. @returns the rows of the last one */
async function query(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function spawnChild(action: 'start' | 'lock', path = process.env['PATH']): ChildProcess {
  const script = join(__dirname, '..', 'support', 'embedded-postgres-child.cjs');
  const child = spawn(process.execPath, [script, action, dataDir], {
    env: { ...process.env, PATH: path },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function readResult<T>(child: ChildProcess): Promise<T> {
  if (!child.stdout) throw new Error('the child has no output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return JSON.parse(line) as T;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Waits until none of the processes runs. A zombie does not. */
async function waitUntilEnded(pids: number[]): Promise<void> {
  await until(async () => !pids.some((pid) => isRunning(pid)));
}

/**
 * Kills the host with all processes below it, and the service. They are frozen first, until a list has no other processes than
 * the one before: one that runs could start another one between the list and its end.
 */
async function killWithDescendants(host: number, service: ChildProcess): Promise<number[]> {
  const listed = () => [host, ...descendantsOf(host)];
  let pids: number[] = [];
  await until(async () => {
    pids = listed();
    for (const pid of pids) killQuietly(pid, 'SIGSTOP');
    await until(async () => !pids.some(canRun));
    return listed().join() === pids.join();
  });
  for (const pid of pids) killQuietly(pid);
  await kill(service);
  await waitUntilEnded(pids);
  return pids;
}

/** Whether the process is neither stopped nor ended. */
function canRun(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' });
  return /^[^TZ\s]/.test(stdout);
}

/** The processes of the server, its host first. */
async function serverPids(): Promise<number[]> {
  const postmaster = await postmasterPid();
  return [parentOf(postmaster), postmaster, ...childrenOf(postmaster)];
}

function parentOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', `${pid}`], { encoding: 'utf8' }));
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

function childrenOf(parent: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
}

function descendantsOf(parent: number): number[] {
  return childrenOf(parent).flatMap((pid) => [pid, ...descendantsOf(pid)]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until<T>(condition: () => Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const value = await condition();
    if (value) return value;
    await delay(5);
  }
}
