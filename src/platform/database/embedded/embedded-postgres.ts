import { escapeIdentifier } from 'pg';
import { locateBinaries } from './binaries';
import { prepareCluster, prepareDataDir } from './cluster';
import { stopLeftoverServer } from './leftover-server';
import { chooseRunner } from './runner';
import { serverUrl } from './running-server';
import { type ReadyServer, startServer } from './start-server';

export interface EmbeddedPostgres {
  /** The superuser's URL, postgres://postgres:<password>@127.0.0.1:<port>/<database> */
  url: string;
  /** Shuts the server down and waits until its process has ended; further calls do nothing. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The folder of the cluster, its password and its log; created with mode 700 when it is missing. */
  dataDir: string;
  /** Created when it is missing. */
  database: string;
  /** false is faster, but a power failure may corrupt the cluster: for tests. */
  durable?: boolean;
  /** Server settings, as in postgresql.conf. */
  settings?: Record<string, string>;
  /** Finds the port to listen on; called again when the port turns out to be taken. By default a random free one. */
  findPort?: () => Promise<number>;
}

const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Starts the PostgreSQL server of the development dependencies, so that a checkout runs without a database being
 * installed. Take `lockDataDir` first: a server that already runs on the folder is assumed to be left over from a
 * killed service, and is stopped.
 * @throws Error that says what to do where the server cannot run, or with the end of the server's log
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const durable = options.durable ?? true;
  const paths = await prepareDataDir(options.dataDir);
  const binaries = await locateBinaries();
  const runner = await chooseRunner(binaries.postgres, paths.dataDir);
  await stopLeftoverServer(paths.clusterDir);
  const password = await prepareCluster(paths, binaries, runner, durable);
  const settings = { ...(durable ? {} : NOT_DURABLE), ...options.settings };
  const server = await startServer(binaries.postgres, runner, paths, {
    settings,
    password,
    findPort: options.findPort,
  });
  await createDatabase(server, options.database);
  return {
    url: serverUrl(password, server.process.port, options.database),
    stop: () => server.process.stop(),
  };
}

async function createDatabase({ client, process }: ReadyServer, name: string): Promise<void> {
  try {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${escapeIdentifier(name)} OWNER postgres`);
    await client.end();
  } catch (error) {
    await process.stop();
    throw error;
  }
}
