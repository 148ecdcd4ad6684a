import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { scripts } from '../../../package.json';
import { freePort } from '../free-port';
import { Api } from '../http/api';
import { withServiceRole } from '../database/service-role';
import { compileCache, REPOSITORY } from './built-service';
import { until } from '../until';

/** The flags of Node in `npm start`. */
const NODE_FLAGS = scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** Measures the event loop's delay in the service's process. */
const LOOP_DELAY_MONITOR = ['--require', join(__dirname, 'loop-delay-monitor.cjs')];

const STARTUP_TIMEOUT_MS = 60_000;

interface Options {
  /** Allows `takeLoopDelay`. */
  measuresLoopDelay?: boolean;
  /** A file that gets a copy of the output, which other processes can read. */
  logFile?: string;
  /** The folder of the built service, unless it is this repository. */
  root?: string;
}

interface ExitStatus {
  code: number | null;
  signal: string | null;
}

const running = new Set<ServiceProcess>();

/** The built service in a child process, started as `npm start` starts it. */
export class ServiceProcess {
  /** Its standard output and standard error. */
  output = '';
  /** Resolves when the process has ended. */
  readonly ended: Promise<ExitStatus>;

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    logFile?: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
        if (logFile) appendFileSync(logFile, chunk);
      });
    }
    this.ended = (once(child, 'close') as Promise<[number | null, string | null]>).then(([code, signal]) => {
      running.delete(this);
      return { code, signal };
    });
    running.add(this);
  }

  /** Starts the service with these variables, by default on a free port, and does not wait for it. */
  static async spawn(
    variables: Record<string, string>,
    { measuresLoopDelay = false, logFile, root = REPOSITORY }: Options = {},
  ): Promise<ServiceProcess> {
    const port = Number(variables.PORT ?? (await freePort()));
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), LOG_FORMAT: 'json', LOG_LEVEL: 'warn' };
    const flags = [...NODE_FLAGS, ...(measuresLoopDelay ? LOOP_DELAY_MONITOR : [])];
    const child = spawn(process.execPath, [...flags, join('dist', 'src', 'main.js')], {
      cwd: root,
      env: { ...compileCache(), ...env, ...withServiceRole(variables) },
      stdio: ['ignore', 'pipe', 'pipe', ...(measuresLoopDelay ? ['ipc' as const] : [])],
    });
    return new ServiceProcess(child, port, logFile);
  }

  /**
   * Starts the service and waits until it is up. The free port can be taken by another process before the service listens: then
   * it is started on another one.
   * @throws Error with its output when it is not up, and ends it
   */
  static async start(variables: Record<string, string>, options?: Options): Promise<ServiceProcess> {
    const service = await ServiceProcess.spawn(variables, options);
    try {
      await service.waitUntilUp();
    } catch (error) {
      await service.kill();
      const isPortTaken = service.output.includes(`Port ${service.port} is in use`);
      if (isPortTaken && !variables.PORT) return ServiceProcess.start(variables, options);
      throw error;
    }
    return service;
  }

  /** Waits for the startup message. @returns the output. @throws Error with the output when the service ends before */
  async waitUntilUp(): Promise<string> {
    let end: ExitStatus | undefined;
    void this.ended.then((status) => (end = status));
    await until(
      () => {
        if (end) throw new Error(`The service ended with ${end.code ?? end.signal}: ${this.output}`);
        // The message must be complete. A log line may follow it immediately.
        return /is up at [^]*?\n\n/.test(this.output);
      },
      () => `no startup message in: ${this.output}`,
      STARTUP_TIMEOUT_MS,
    );
    return this.output;
  }

  /** The longest delay of the event loop since the previous call, in milliseconds. @throws Error if nothing was recorded */
  async takeLoopDelay(): Promise<number> {
    const answer = once(this.child, 'message') as Promise<[number | null]>;
    this.child.send('take');
    const [delay] = await answer;
    if (delay === null) throw new Error('The monitor of the event loop has recorded nothing.');
    return delay;
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

  /** Kills only this process with SIGKILL. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<ExitStatus> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

/** Stops the services that a failed test left running, gracefully, so that their databases stop as well. */
export async function stopServices(): Promise<void> {
  await Promise.all([...running].map((service) => service.stop()));
}
