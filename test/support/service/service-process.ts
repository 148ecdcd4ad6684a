import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { scripts } from '../../../package.json';
import { freePort } from '../../../src/platform/database/embedded/free-port';
import { Api } from '../http/api';
import { compileCache, REPOSITORY } from './built-service';
import { until } from '../until';

/** As `npm start` has them. */
const NODE_FLAGS = scripts.start.split(' ').filter((word) => word.startsWith('--'));

interface End {
  code: number | null;
  signal: string | null;
}

const running = new Set<ServiceProcess>();

/** The built service as a process of its own, as `npm start` runs it. */
export class ServiceProcess {
  /** Everything it wrote. */
  output = '';
  /** Settles with how it ended. */
  readonly ended: Promise<End>;

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    this.ended = (once(child, 'close') as Promise<[number | null, string | null]>).then(([code, signal]) => {
      running.delete(this);
      return { code, signal };
    });
    running.add(this);
  }

  /** Starts it with these variables and, unless they say so, a free port; does not wait. */
  static async spawn(variables: Record<string, string>): Promise<ServiceProcess> {
    const port = Number(variables.PORT ?? (await freePort()));
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), LOG_FORMAT: 'json', LOG_LEVEL: 'warn' };
    const child = spawn(process.execPath, [...NODE_FLAGS, join('dist', 'src', 'main.js')], {
      cwd: REPOSITORY,
      env: { ...compileCache(), ...env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child, port);
  }

  /** Starts it and waits until it greets. @throws Error with what it wrote when it ends before */
  static async start(variables: Record<string, string>): Promise<ServiceProcess> {
    const service = await ServiceProcess.spawn(variables);
    await service.greeting();
    return service;
  }

  async greeting(): Promise<string> {
    let end: End | undefined;
    void this.ended.then((how) => (end = how));
    await until(
      () => {
        if (end) throw new Error(`The service ended with ${end.code ?? end.signal}: ${this.output}`);
        // Whole; a line of the log may follow at once.
        return /is up at [^]*?\n\n/.test(this.output);
      },
      () => `no greeting in: ${this.output}`,
      20_000,
    );
    return this.output;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get api(): Api {
    return new Api(this.url);
  }

  signal(...signals: NodeJS.Signals[]): void {
    for (const signal of signals) this.child.kill(signal);
  }

  /** kill -9 of this process alone. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<End> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

/** Ends whatever a failed test left running, in order, so that no database stays behind either. */
export async function stopServices(): Promise<void> {
  await Promise.all([...running].map((service) => service.stop()));
}
