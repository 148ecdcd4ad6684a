import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port';
import { ORDINARY_USER } from '../../../src/platform/database/embedded/embedded-postgres';
import { until } from '../until';

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));

/** Before 1.21 it knows nothing of the statements that its clients have prepared. */
export const tracksPreparedStatements = (): boolean => {
  const version = PROGRAM ? execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' }) : '';
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
};

/** As describeWithDebianPostgres, for specs that need Debian's PgBouncer. */
export function describeWithPgBouncer(name: string, tests: () => void): void {
  if (PROGRAM || process.env.CI === 'true') return describe(name, tests);
  process.stderr.write(`NOTICE: skipped "${name}": install the package pgbouncer.\n`);
  describe.skip(name, tests);
}

/** A PgBouncer in front of the server of a URL. */
export class PgBouncer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /**
   * @param server a URL of the server
   * @param logins their passwords, by name
   * @param settings lines of the section [pgbouncer]
   */
  static async start(server: string, logins: Record<string, string>, settings: string): Promise<PgBouncer> {
    if (!PROGRAM) throw new Error('Install the package pgbouncer.');
    const { hostname, port: serverPort } = new URL(server);
    const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
    const port = await freePort();
    const ini = `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${folder}/users.txt
${settings}`;
    const users = Object.entries(logins).map(([login, password]) => `"${login}" "${password}"\n`);
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(file, ini);
    writeFileSync(join(folder, 'users.txt'), users.join(''));
    // It refuses uid 0, as PostgreSQL does.
    const { prefix, uid } = ORDINARY_USER;
    for (const path of ['', 'pgbouncer.ini', 'users.txt']) if (uid) chownSync(join(folder, path), uid, uid);
    const [command, ...args] = [...prefix, 'setpriv', '--pdeathsig', 'INT', '--', PROGRAM, file];
    const env = { PATH: process.env.PATH, LC_ALL: 'C' };
    const child = spawn(command, args, { cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`PgBouncer has ended: ${log}`);
        return log.includes('process up');
      },
      () => `PgBouncer did not start: ${log}`,
    );
    return new PgBouncer(child, folder, port);
  }

  /** The URL of a database through PgBouncer, from one that leads to the server itself. */
  url(direct: string): string {
    const url = new URL(direct);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.toString();
  }

  /** At once, also with connected clients. */
  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
