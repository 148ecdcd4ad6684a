import { escapeIdentifier } from 'pg';
import { locateBinaries } from './binaries';
import { prepareCluster, prepareDataDir } from './cluster';
import { stopLeftover } from './leftover-server';
import { chooseRunner } from './runner';
import { serverUrl } from './running-server';
import { type ReadyServer, startServer } from './start-server';

export interface EmbeddedPostgres {
  /** superuser URL, postgres://postgres:<password>@127.0.0.1:<port>/<database> */
  url: string;
  /** Shuts the server down and waits until it is gone; may be called again. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Holds the cluster, its password and its log; created with mode 700 when missing. */
  dataDir: string;
  /** Created when missing. */
  database: string;
  /** false gives up what survives a power failure for speed: for tests. */
  durable?: boolean;
  /** Server settings, as in postgresql.conf. */
  settings?: Record<string, string>;
  /** Finds the port to listen on; asked again when the port turns out to be taken. By default a random free one. */
  findPort?: () => Promise<number>;
}

const hasty = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Runs the PostgreSQL that comes with the development dependencies, so that a fresh checkout works without any
 * installation. One service a folder: take `lockDataDir` first, since a server that is found running on the
 * folder is taken for one that a killed service left behind, and stopped.
 * @throws Error saying what to do where it cannot run, or with the end of the server's log
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const durable = options.durable ?? true;
  const paths = await prepareDataDir(options.dataDir);
  const binaries = await locateBinaries();
  const runner = await chooseRunner(binaries.postgres, paths.dataDir);
  await stopLeftover(paths.clusterDir);
  const password = await prepareCluster(paths, binaries, runner, durable);
  const settings = { ...(durable ? {} : hasty), ...options.settings };
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
