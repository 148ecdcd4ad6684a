import { freePort } from '../../support/free-port';
import { cloneDatabase, connectionPool } from '../../support/database/database';
import { Api } from '../../support/http/api';
import { DataDir } from '../../support/service/data-dir';
import { ServiceProcess } from '../../support/service/service-process';
import type { TestedService } from '../../support/tested-service';
import { PAGE_HOST, serviceVariables, sharedServers } from './shared-servers';

/** A service of one spec, which can be restarted on the same port and database as a deployment does. */
export class OwnService {
  private constructor(
    private process: ServiceProcess,
    private readonly variables: Record<string, string>,
    private readonly release: () => Promise<void>,
    /** For browsers. */
    readonly url: string,
    readonly test: TestedService,
  ) {}

  /** @param changes to the environment variables */
  static async start(changes: Record<string, string> = {}): Promise<OwnService> {
    const { address } = sharedServers();
    const database = await cloneDatabase();
    const dataDir = new DataDir();
    const port = await freePort();
    const variables = {
      ...serviceVariables({ databaseUrl: database.url }, { port, dataDir: dataDir.path }),
      ...changes,
    };
    const db = connectionPool(database.url);
    const release = async () => {
      await db.end();
      await database.drop();
      dataDir.remove();
    };
    const url = `http://${address}:${port}`;
    const process = await ServiceProcess.start(variables);
    return new OwnService(process, variables, release, `http://${PAGE_HOST}:${port}`, {
      api: new Api(url),
      url,
      db,
    });
  }

  /** Stops the service gracefully, and starts it again. */
  async redeploy(): Promise<void> {
    await this.process.stop();
    this.process = await ServiceProcess.start(this.variables);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.release();
  }
}
