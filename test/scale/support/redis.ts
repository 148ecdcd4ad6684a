import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../support/free-port';
import { connectRedis } from '../../../src/platform/redis/redis.module';
import { until } from '../../support/until';

const MISSING =
  'These tests need redis-server, which is not on the PATH: install it, on Debian with "apt-get install redis-server".';

/** A real Redis server on a free port. Its data is lost when it stops. */
export class RedisServer {
  private constructor(
    readonly port: number,
    private child: ChildProcess,
  ) {}

  static async start(): Promise<RedisServer> {
    const port = await freePort();
    return new RedisServer(port, await launch(port));
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  /** Stops the process where it is: connections stay open, and nothing is answered. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  /** Starts again on the same port without data. */
  async restart(): Promise<void> {
    this.child = await launch(this.port);
  }

  /** Waits until as many instances have subscribed. Each has a connection for that, which is restored after the other one. */
  async waitForSubscribers(instances: number): Promise<void> {
    const operator = connectRedis(this.url);
    try {
      await until(() => operator.status === 'ready');
      let clients = '';
      await until(
        async () => {
          clients = String(await operator.call('CLIENT', 'LIST', 'TYPE', 'pubsub'));
          return clients.match(/ psub=[1-9]/g)?.length === instances;
        },
        () => `there are not ${instances} subscribers: ${clients}`,
      );
    } finally {
      operator.disconnect();
    }
  }
}

async function launch(port: number): Promise<ChildProcess> {
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', flags, { cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  let failure: Error | undefined;
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code === 'ENOENT' ? new Error(MISSING) : error;
  });
  await until(
    () => {
      if (failure) throw failure;
      return output.includes('Ready to accept connections');
    },
    () => `redis-server did not start: ${output}`,
  );
  return child;
}
