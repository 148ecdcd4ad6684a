import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../free-port';
import { ORDINARY_USER } from '../../../src/platform/database/embedded/embedded-postgres';
import { killQuietly } from '../service/data-dir';
import { until } from '../until';

const run = promisify(execFile);

/** Where Debian's packages have the programs of each version. */
const PACKAGES = '/usr/lib/postgresql';
const VERSIONS = existsSync(PACKAGES) ? readdirSync(PACKAGES) : [];
const BIN = VERSIONS.map((version) => join(PACKAGES, version, 'bin')).find((bin) =>
  ['initdb', 'postgres', 'pg_dump', 'pg_basebackup'].every((program) => existsSync(join(bin, program))),
);

/** Settings with which a power failure may corrupt a cluster. */
export const UNSAFE_BUT_FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * `describe` for specs that need Debian's PostgreSQL. Without it they are skipped with a notice, and fail where CI=true,
 * because nobody would notice there.
 */
export function describeWithDebianPostgres(name: string, tests: () => void): void {
  if (BIN || process.env.CI === 'true') return describe(name, tests);
  process.stderr.write(`NOTICE: skipped "${name}": install the package postgresql-15.\n`);
  describe.skip(name, tests);
}

/** The outcome of a script. */
export interface ScriptResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** A server of Debian's PostgreSQL in a folder of its own, with the client programs of the same version. */
export class DebianPostgres {
  private server: ChildProcess | undefined;

  private constructor(
    /** Contains the cluster, and has space for the files of a spec. */
    readonly folder: string,
    readonly port: number,
    readonly cluster: string,
  ) {}

  /**
   * Creates a cluster and starts its server.
   * @param parent where its data are, for example on a disk of their own; the write-ahead log is not there
   */
  static async start(settings: Record<string, string> = {}, parent?: string): Promise<DebianPostgres> {
    const postgres = await DebianPostgres.prepare(parent);
    const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    if (parent) flags.push('--waldir', join(postgres.folder, 'wal'));
    await postgres.run('initdb', [...flags, '--pgdata', postgres.cluster]);
    await postgres.launch(settings);
    return postgres;
  }

  private static async prepare(parent?: string): Promise<DebianPostgres> {
    if (!BIN) throw new Error(`There is no PostgreSQL in ${PACKAGES}. Install the package postgresql-15.`);
    const folder = mkdtempSync(join(tmpdir(), 'debian-postgres-'));
    const { uid } = ORDINARY_USER;
    for (const path of [folder, ...(parent ? [parent] : [])]) if (uid) chownSync(path, uid, uid);
    return new DebianPostgres(folder, await freePort(), join(parent ?? folder, 'cluster'));
  }

  /** Starts a server that replicates this one until it is promoted. */
  async startReplica(): Promise<DebianPostgres> {
    const replica = await DebianPostgres.prepare();
    const source = ['--host=127.0.0.1', `--port=${this.port}`, '--username=postgres'];
    const flags = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync'];
    await replica.run('pg_basebackup', [...source, ...flags, '--pgdata', replica.cluster]);
    await replica.launch({}, { isStandby: true });
    return replica;
  }

  /** The processes of the server, the postmaster first. */
  private get processes(): number[] {
    const postmaster = Number(readFileSync(join(this.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ');
    return [postmaster, ...children.map(Number).filter(Boolean)];
  }

  /** Stops all processes of the server where they are, as a machine without processor time does. */
  freeze(): void {
    for (const pid of this.processes) killQuietly(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.processes.toReversed()) killQuietly(pid, 'SIGCONT');
  }

  /** Ends all processes of the server at once, as a crash of the machine does. */
  async kill(): Promise<void> {
    const { server, processes } = this;
    const ended = server && once(server, 'exit');
    for (const pid of processes) killQuietly(pid);
    await ended;
  }

  url(database: string, login = 'postgres'): string {
    return `postgres://${login}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts the server, and waits until it accepts writes, or reads on a standby: a recovery has ended then. */
  async launch(settings: Record<string, string> = {}, { isStandby = false } = {}): Promise<void> {
    const all = {
      ...UNSAFE_BUT_FAST,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = ['--pdeathsig', 'INT', '--', join(BIN ?? '', 'postgres'), '-D', this.cluster];
    const { file, args, options } = this.command('setpriv', [...command, '-p', `${this.port}`, ...flags]);
    const server = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    this.server = server;
    let log = '';
    server.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
    await until(
      () => {
        if (server.exitCode !== null) throw new Error(`The server has ended: ${log}`);
        return this.isUp(isStandby);
      },
      () => `the server does not accept writes: ${log}`,
    );
  }

  /** A fast shutdown: sessions are ended. */
  async stop(): Promise<void> {
    const { server } = this;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }

  /** Stops the server and removes all files. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a program of the package as the server's user. */
  async run(program: string, parameters: string[]): Promise<void> {
    const { file, args, options } = this.command(join(BIN ?? '', program), parameters);
    await run(file, args, options);
  }

  /** Runs a shell script in the folder as the server's user, with the client programs of the server's version. */
  async script(text: string, variables: Record<string, string>): Promise<ScriptResult> {
    const { file, args, options } = this.command('bash', ['-c', text]);
    const connection = { PGHOST: '127.0.0.1', PGPORT: String(this.port) };
    const env = { ...options.env, PATH: `${BIN}:${process.env.PATH}`, ...connection, ...variables };
    return run(file, args, { ...options, cwd: this.folder, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: ScriptResult) => ({ code, stdout, stderr }),
    );
  }

  private command(program: string, parameters: string[]) {
    const [file = '', ...args] = [...ORDINARY_USER.prefix, program, ...parameters];
    return { file, args, options: { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } } };
  }

  private async isUp(isStandby: boolean): Promise<boolean> {
    const client = new Client({ connectionString: this.url('postgres') });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query('SELECT pg_is_in_recovery() AS is_recovering');
      return rows[0].is_recovering === isStandby;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }
}
