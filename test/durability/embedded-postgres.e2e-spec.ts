import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { createSymlinks } from '../../src/platform/database/embedded/binaries';
import { lockDataDir } from '../../src/platform/database/embedded/data-dir-lock';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres';
import { freePort } from '../../src/platform/database/embedded/free-port';

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
    await first.stop();
    await expect(query(first.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');

    const second = await start();

    expect(await query(second.url, 'SELECT v FROM t')).toEqual([{ v: 'kept' }]);
  });

  it('is PostgreSQL 18 with the settings asked for, reached over loopback alone', async () => {
    const { url } = await start({ settings: { max_connections: '17' } });

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

  it('works in a folder below one closed to others, keeps the password to itself and asks for it', async () => {
    const parent = dataDir;
    await chmod(parent, 0o700);
    dataDir = join(parent, 'made', 'here');
    const { url } = await start();

    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    await expect(query(url.replace(/:[^:@]+@/, ':guess@'), 'SELECT 1')).rejects.toThrow(
      'password authentication',
    );
    await stopAll();
    dataDir = parent;
  });

  it('takes another port when the free one was taken meanwhile', async () => {
    const squatter = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const ports = [port];

    const { url } = await start({ findPort: async () => ports.shift() ?? freePort() });

    expect(new URL(url).port).not.toBe(String(port));
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    squatter.close();
  });

  it('says how its log ends when it cannot start', async () => {
    await expect(start({ settings: { no_such_setting: '1' } })).rejects.toThrow(
      /did not start; its log .*postgres\.log ends:[^]*unrecognized configuration parameter "no_such_setting"/,
    );
  });

  it('begins a new log when the old one is large, and keeps the old one', async () => {
    await writeFile(join(dataDir, 'postgres.log'), Buffer.alloc(10 * 1024 * 1024 + 1));

    await start();

    expect((await stat(join(dataDir, 'postgres.log'))).size).toBeLessThan(100_000);
    expect((await stat(join(dataDir, 'postgres.log.1'))).size).toBeGreaterThan(10 * 1024 * 1024);
  });

  it.each(['alone', 'with initdb'])(
    'is not fooled by an initialization cut short by a kill -9 (%s)',
    async (how) => {
      const child = spawnChild('start');
      const unfinished = await until(async () =>
        (await readdir(dataDir)).find((name) => name.startsWith('postgres.init-')),
      );
      await until(async () => (await readdir(join(dataDir, unfinished))).length > 3);
      const initdb = childrenOf(child.pid ?? 0);
      expect(initdb).toHaveLength(1);
      await kill(child);
      if (how === 'with initdb') process.kill(initdb[0] ?? 0, 'SIGKILL');

      const { url } = await start();

      expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.init-'))).toEqual([]);
    },
  );

  it('says what is missing when the password is', async () => {
    await (await start()).stop();
    await rm(join(dataDir, 'postgres.password'));

    await expect(start()).rejects.toThrow(/needs the password in .*postgres\.password.*restore that file/);
  });

  it('says soon when the password is not the one of the cluster', async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, 'postgres.password'), 'another\n');

    await expect(start()).rejects.toThrow('does not let us in: password authentication failed');
    await until(async () => !(await readdir(join(dataDir, 'postgres'))).includes('postmaster.pid'));
  });
});

describe('the links that the package’s install script makes', () => {
  it('are made when the script did not run, by two at once, and left alone afterwards', async () => {
    await mkdir(join(dataDir, 'native', 'lib'), { recursive: true });
    await writeFile(join(dataDir, 'native', 'lib', 'libpq.so.5.18'), 'the library');
    const list = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    await writeFile(join(dataDir, 'native', 'pg-symlinks.json'), JSON.stringify(list));

    await Promise.all([createSymlinks(dataDir), createSymlinks(dataDir)]);
    await createSymlinks(dataDir);

    expect(await readFile(join(dataDir, 'native', 'lib', 'libpq.so.5'), 'utf8')).toBe('the library');
  });
});

describe('after a service was killed', () => {
  it('stops the server it left behind and loses nothing', async () => {
    const child = spawnChild('start');
    const { url } = await outcome<{ url: string }>(child);
    await query(url, 'CREATE TABLE t (v int)', 'INSERT INTO t SELECT generate_series(1, 1000)');
    await kill(child);
    expect(await query(url, 'SELECT count(*)::int AS rows FROM t')).toEqual([{ rows: 1000 }]);

    const next = await start();

    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    expect(await query(next.url, 'SELECT count(*)::int AS rows FROM t')).toEqual([{ rows: 1000 }]);
  });

  it('recovers when the server was killed with it', async () => {
    const child = spawnChild('start');
    const { url } = await outcome<{ url: string }>(child);
    await query(url, 'CREATE TABLE t (v int)', 'INSERT INTO t SELECT generate_series(1, 1000)');
    const postmaster = await postmasterPid();
    const everything = [postmaster, ...childrenOf(postmaster)];
    expect(everything.length).toBeGreaterThan(3);
    await kill(child);
    for (const pid of everything) process.kill(pid, 'SIGKILL');

    const next = await start();

    expect(await query(next.url, 'SELECT count(*)::int AS rows FROM t')).toEqual([{ rows: 1000 }]);
  });

  it('waits for sessions that have not noticed the death of the server', async () => {
    const child = spawnChild('start');
    const { url } = await outcome<{ url: string }>(child);
    const session = new Client(url);
    session.on('error', () => undefined);
    await session.connect();
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    await kill(child);
    process.kill(await postmasterPid(), 'SIGKILL');

    const starting = start();
    await until(async () => /still in use/.test(await readFile(join(dataDir, 'postgres.log'), 'utf8')));
    process.kill(pid, 'SIGCONT');

    expect(await query((await starting).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.each([
    ['another program’s by now', 'echo $$; exec sleep 600'],
    ['that of a zombie', 'sleep 0 & echo $!; exec sleep 600'],
  ])('starts although the pid of the killed server is %s', async (_whose, script) => {
    const first = await start();
    await query(first.url, 'CREATE TABLE t (v text)', `INSERT INTO t VALUES ('kept')`);
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const lines = (await readFile(pidFile, 'utf8')).split('\n');
    await first.stop();
    const stranger = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(stranger);
    const pid = await outcome<number>(stranger);
    await writeFile(pidFile, [pid, ...lines.slice(1)].join('\n'));

    const next = await start();

    expect(await query(next.url, 'SELECT v FROM t')).toEqual([{ v: 'kept' }]);
    expect(isAlive(pid)).toBe(true);
  });
});

describe('where root gets no user namespace', () => {
  const asRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0 ? it : it.skip;

  asRootOnLinux('runs as another user, below closed folders too, and goes back to a namespace', async () => {
    const first = spawnChild('start', await pathWithout('unshare'));
    const { url } = await outcome<{ url: string }>(first);
    await query(url, 'CREATE TABLE t (v text)', `INSERT INTO t VALUES ('kept')`);
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);

    const next = await start();

    expect(await query(next.url, 'SELECT v FROM t')).toEqual([{ v: 'kept' }]);
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(0);
  });

  asRootOnLinux('names the way out when that user cannot reach the folder', async () => {
    const child = spawnChild('start', await pathWithout('unshare', 'setpriv'));

    const { error } = await outcome<{ error: string }>(child);

    expect(error).toMatch(
      /^PostgreSQL refuses to run as root, .* set DATABASE_URL to a PostgreSQL 15 or newer/,
    );
    expect(error).toContain(dataDir);
  });
});

describe('the lock of a data folder', () => {
  it('turns a second service away and says what to do', async () => {
    const child = spawnChild('lock');
    await outcome(child);

    await expect(lockDataDir(dataDir)).rejects.toThrow(
      `DATA_DIR ${dataDir} is in use by another running service (process ${child.pid}). ` +
        'Stop it, or set DATA_DIR to another folder.',
    );
  });

  it('can be taken again after its release, and releasing twice does not harm the next holder', async () => {
    const first = await lockDataDir(dataDir);
    await first.release();
    const second = await lockDataDir(dataDir);
    await first.release();

    await expect(lockDataDir(dataDir)).rejects.toThrow('is in use');
    await second.release();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('is taken over from a process that was killed', async () => {
    const child = spawnChild('lock');
    await outcome(child);
    await kill(child);

    await (await lockDataDir(dataDir)).release();
  });

  it('is taken over when its pid belongs to another process by now', async () => {
    await writeFile(join(dataDir, 'service.lock'), `${process.pid}\nlong ago\n`);

    await (await lockDataDir(dataDir)).release();
  });

  it.each(['', 'service.lock', 'service.lock service.lock.takeover'])(
    'goes to exactly one of many starts at the same moment, with these stale: %s',
    async (stale) => {
      for (const name of stale.split(' ').filter(Boolean)) {
        await writeFile(join(dataDir, name), `${process.pid}\nlong ago\n`);
      }

      const processes = [1, 2, 3].map(() => spawnChild('lock'));
      const outcomes = await Promise.all(processes.map((child) => outcome<{ locked?: true }>(child)));
      const again = await Promise.allSettled(Array.from({ length: 5 }, () => lockDataDir(dataDir)));

      expect(outcomes.filter(({ locked }) => locked)).toHaveLength(1);
      expect(again.filter(({ status }) => status === 'fulfilled')).toHaveLength(0);
      expect(await readdir(dataDir)).toEqual(['service.lock']);
    },
  );

  it('goes to exactly one of many calls at the same moment, time after time', async () => {
    for (let round = 0; round < 25; round += 1) {
      await writeFile(join(dataDir, 'service.lock'), `${process.pid}\nlong ago\n`);
      const calls = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dataDir)));
      const won = calls.filter((call) => call.status === 'fulfilled');
      expect(won).toHaveLength(1);
      await won[0]?.value.release();
    }
  });
});

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, database: 'app', durable: false, ...options });
  servers.push(server);
  return server;
}

async function stopAll(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop();
}

/** Runs the statements one after the other; the rows are the last one's. */
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

async function outcome<T>(child: ChildProcess): Promise<T> {
  if (!child.stdout) throw new Error('the child has no output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return JSON.parse(line) as T;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A PATH in which the programs of that name refuse their service. */
async function pathWithout(...programs: string[]): Promise<string> {
  const bin = join(dataDir, 'bin');
  await mkdir(bin);
  for (const program of programs) await symlink('/bin/false', join(bin, program));
  return `${bin}:${process.env['PATH']}`;
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
