import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptsConnections } from './accepts-connections';
import { freePort } from '../free-port';
import { REPOSITORY } from '../service/built-service';
import { until } from '../until';
import { substitute } from './shipped-proxies';

const SHIPPED = join(REPOSITORY, 'deploy', 'compose');
const CERTIFICATE = join(REPOSITORY, 'test', 'fixtures', 'hooks.test.pem');

/** Whether coturn is installed. Where CI=true it must be. */
export function hasCoturn(): boolean {
  const isInstalled = spawnSync('turnserver', ['--version']).error === undefined;
  if (!isInstalled && process.env.CI === 'true') throw new Error('There is no turnserver.');
  if (!isInstalled) process.stderr.write('NOTICE: there is no turnserver, so its tests did not run.\n');
  return isInstalled;
}

/** A real coturn on loopback, started by the script and with the configuration of compose.yaml. */
export class ComposedCoturn {
  output = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly port: number,
    readonly tlsPort: number,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  /** @param former the secret that it also accepts */
  static async start(secret: string, former = ''): Promise<ComposedCoturn> {
    const folder = mkdtempSync(join(tmpdir(), 'video-queue-coturn-'));
    const [port, tlsPort] = [await freePort(), await freePort()];
    const configuration = substitute(readFileSync(join(SHIPPED, 'turnserver.conf'), 'utf8'), [
      ['listening-port=3478', `listening-port=${port}`],
      ['pidfile=/tmp/turnserver.pid', `pidfile=${folder}/pid\nuserdb=${folder}/db`],
    ]);
    writeFileSync(join(folder, 'turnserver.conf'), configuration);
    writeFileSync(join(folder, 'secret'), secret);
    writeFileSync(join(folder, 'former'), former);
    const child = spawn('sh', [join(SHIPPED, 'start-coturn.sh')], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        TMPDIR: folder,
        TURN_CONFIGURATION: join(folder, 'turnserver.conf'),
        TURN_SECRET_FILE: join(folder, 'secret'),
        TURN_FORMER_SECRET_FILE: join(folder, 'former'),
        TURN_LISTENING_IP: '127.0.0.1',
        TURN_TLS_PORT: String(tlsPort),
        TURN_CERTIFICATE: CERTIFICATE,
        TURN_KEY: CERTIFICATE,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const coturn = new ComposedCoturn(child, folder, port, tlsPort);
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`coturn has ended: ${coturn.output}`);
        return acceptsConnections(port);
      },
      () => `coturn does not listen: ${coturn.output}`,
    );
    return coturn;
  }

  /** What every user of the machine sees of the process. */
  get commandLine(): string {
    return readFileSync(`/proc/${this.child.pid}/cmdline`, 'utf8');
  }

  /** What it was started with. */
  get environment(): string {
    return readFileSync(`/proc/${this.child.pid}/environ`, 'utf8');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
