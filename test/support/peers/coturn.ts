import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port';
import { until } from '../until';

const MISSING = 'turnserver is not on the PATH: install coturn, on Debian with "apt-get install coturn".';

/** A real TURN server. It relays only for users with credentials of one of its secrets. */
export class Coturn {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly address: string,
    readonly port: number,
  ) {}

  static async start(address: string, ...secrets: string[]): Promise<Coturn> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'video-queue-coturn-'));
    const child = spawn('turnserver', flagsOf(address, port, secrets, folder), {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const coturn = new Coturn(child, folder, address, port);
    await coturn.waitUntilUp();
    return coturn;
  }

  /** The value for TURN_URLS. */
  get urls(): string {
    return `turn:${this.address}:${this.port}?transport=udp,turn:${this.address}:${this.port}?transport=tcp`;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async waitUntilUp(): Promise<void> {
    let output = '';
    let failure: Error | undefined;
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    this.child.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.code === 'ENOENT' ? new Error(MISSING) : error;
    });
    await until(
      () => {
        if (failure) throw failure;
        if (this.child.exitCode !== null) throw new Error(`coturn ended: ${output}`);
        return accepts(this.address, this.port);
      },
      () => `coturn did not start: ${output}`,
    );
  }
}

/** Whether a TCP connection to the port succeeds. */
function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}

const flagsOf = (address: string, port: number, secrets: string[], folder: string): string[] => [
  '-n',
  '--no-cli',
  '--no-tls',
  '--no-dtls',
  '--fingerprint',
  '--allow-loopback-peers',
  '--use-auth-secret',
  ...secrets.map((secret) => `--static-auth-secret=${secret}`),
  '--realm=test',
  `--listening-ip=${address}`,
  `--relay-ip=${address}`,
  `--listening-port=${port}`,
  '--log-file=stdout',
  `--pidfile=${join(folder, 'pid')}`,
  `--userdb=${join(folder, 'db')}`,
];
