import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import type { ClusterPaths } from './cluster';
import { freePort } from './free-port';
import type { Runner } from './runner';
import { launchServer, type ServerProcess } from './server';

export interface ReadyServer {
  process: ServerProcess;
  /** Connected to the database `postgres`. */
  client: Client;
}

/** How long failed connections and starts with a TRANSIENT_FAILURE are retried. */
const START_TIMEOUT_MS = 30_000;
/** How long a refused login is retried: another server may have taken the port, and ours may be about to report it. */
const LOGIN_TIMEOUT_MS = 1_000;
/** The port was taken meanwhile, or sessions of a killed server have not ended yet. */
const TRANSIENT_FAILURE = /Address already in use|shared memory block .* is still in use/;
/** SQLSTATE cannot_connect_now: the server is starting or recovering, which may take any time. */
const STARTING_UP = '57P03';
/** The class of SQLSTATEs of refused logins. */
const REFUSED_LOGIN = /^28/;

export interface StartOptions {
  /** As in postgresql.conf. */
  settings: Record<string, string>;
  /** The superuser's. */
  password: string;
  /** Finds a port of 127.0.0.1; called again when the port turns out to be taken. */
  findPort?: () => Promise<number>;
}

/**
 * Starts the server on a random free port and waits until it accepts connections.
 * @throws Error with the end of the server's log
 */
export async function startServer(
  postgres: string,
  runner: Runner,
  paths: ClusterPaths,
  { settings, password, findPort = freePort }: StartOptions,
): Promise<ReadyServer> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const server = await launchServer(postgres, runner, paths, await findPort(), settings);
    const client = await connectWhenReady(server, password);
    if (client) return { process: server, client };
    const log = await server.logTail();
    if (!TRANSIENT_FAILURE.test(log) || Date.now() > deadline) {
      throw new Error(`The embedded PostgreSQL did not start; its log ${paths.logFile} ends:\n${log}`);
    }
    await delay(100);
  }
}

/** Resolves to undefined when the process ends before it accepts connections. */
async function connectWhenReady(server: ServerProcess, password: string): Promise<Client | undefined> {
  let since = Date.now();
  while (!server.isGone()) {
    try {
      return await connect(server.port, password);
    } catch (error) {
      const code = error instanceof DatabaseError ? (error.code ?? '') : '';
      if (code === STARTING_UP) since = Date.now();
      if (Date.now() - since > (REFUSED_LOGIN.test(code) ? LOGIN_TIMEOUT_MS : START_TIMEOUT_MS)) {
        await server.stop();
        const { message } = error as Error;
        throw new Error(`The embedded PostgreSQL refuses connections: ${message}`, { cause: error });
      }
    }
    await Promise.race([server.exited, delay(20)]);
  }
  return undefined;
}

async function connect(port: number, password: string): Promise<Client> {
  const target = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres', password };
  // Set explicitly, because PGSSLMODE may be set for another server.
  const client = new Client({ ...target, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
