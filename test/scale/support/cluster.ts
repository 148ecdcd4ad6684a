import { Client } from 'pg';
import { ensureBuilt } from '../../support/service/built-service';
import { cloneDatabase, type TestConnection } from '../../support/database/database';
import { DataDir } from '../../support/service/data-dir';
import { ServiceProcess, stopServices } from '../../support/service/service-process';
import type { TestedService } from '../../support/tested-service';
import { RedisServer } from './redis';

const GENEROUS_LIMITS = {
  AUTH_RATE_LIMIT: '100000',
  AUTH_ADDRESS_RATE_LIMIT: '100000',
  PUBLIC_RATE_LIMIT: '100000',
  PAGE_RATE_LIMIT: '100000',
  API_RATE_LIMIT: '100000',
};

/** Two instances of the built service on one database and one Redis. */
export class Cluster {
  private constructor(
    readonly redis: RedisServer,
    private readonly db: TestConnection,
    private readonly variables: Record<string, string>,
    /** The two instances; a test may kill `a`. */
    public a: ServiceProcess,
    public b: ServiceProcess,
    private readonly release: () => Promise<void>,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<Cluster> {
    await ensureBuilt();
    const redis = await RedisServer.start();
    const database = await cloneDatabase();
    const secrets = new DataDir();
    const db = new Client({ connectionString: database.url });
    db.on('error', () => undefined);
    await db.connect();
    const variables = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      DATA_DIR: secrets.path,
      ...GENEROUS_LIMITS,
      ...env,
    };
    const release = async () => {
      await db.end();
      await redis.stop();
      await database.drop();
      secrets.remove();
    };
    try {
      // Starts both concurrently, as an orchestrator does.
      const [a, b] = await Promise.all([ServiceProcess.start(variables), ServiceProcess.start(variables)]);
      return new Cluster(redis, db, variables, a, b, release);
    } catch (error) {
      await stopServices();
      await release();
      throw error;
    }
  }

  /** For the builders. Uses the instance `b`, which no test kills. */
  get test(): TestedService {
    return { api: this.b.api, url: this.b.url, db: this.db };
  }

  /** Starts one more instance. */
  addInstance(): Promise<ServiceProcess> {
    return ServiceProcess.start(this.variables);
  }

  /** Replaces an instance as a deployment does: it is stopped in order, and another one starts at its address. */
  async replace(name: 'a' | 'b'): Promise<void> {
    const before = this[name];
    const { code } = await before.stop();
    if (code !== 0) throw new Error(`The instance ended with ${code}: ${before.output}`);
    this[name] = await ServiceProcess.start({ ...this.variables, PORT: String(before.port) });
  }

  async stop(): Promise<void> {
    await stopServices();
    await this.release();
  }
}
