import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port';
import { until } from '../../support/until';

/** Debian has it in /usr/sbin, which is not on the PATH of every user. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
const isInstalled = spawnSync('haproxy', ['-v'], { env }).status === 0;

/** `describe` for specs that need HAProxy. Without it they are skipped with a notice, and fail where CI=true. */
export function describeWithHaProxy(name: string, tests: () => void): void {
  if (isInstalled || process.env.CI === 'true') return describe(name, tests);
  process.stderr.write(`NOTICE: skipped "${name}": install the package haproxy.\n`);
  describe.skip(name, tests);
}

/** A real HAProxy on a free port of loopback. */
export class HaProxy {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param configuration `PORT` is replaced by the free port */
  static async start(configuration: string): Promise<HaProxy> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'video-queue-haproxy-'));
    const file = join(folder, 'haproxy.cfg');
    // HAProxy refuses a last line without an end.
    writeFileSync(file, `${configuration.replaceAll('PORT', String(port)).trimEnd()}\n`);
    const child = spawn('haproxy', ['-db', '-f', file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const proxy = new HaProxy(port, child, folder);
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`haproxy has ended: ${output}`);
        return accepts(port);
      },
      () => `haproxy does not listen: ${output}`,
    );
    return proxy;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(true))).once('error', () => resolve(false));
  });
