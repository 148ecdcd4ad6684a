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

/** How long, in milliseconds, causes are waited out that pass by themselves. */
const PATIENCE = 30_000;
/** Another program took the port; or sessions of a server that was killed have not noticed its death yet. */
const PASSING = /Address already in use|shared memory block .* is still in use/;
/** SQLSTATE cannot_connect_now: the server is there and still recovering, which takes the time it takes. */
const STARTING_UP = '57P03';
/** Class of the SQLSTATEs of a refused login. */
const REFUSED_LOGIN = /^28/;

export interface StartOptions {
  /** As in postgresql.conf. */
  settings: Record<string, string>;
  /** The superuser's. */
  password: string;
  /** Finds a port of 127.0.0.1; asked again when the port turns out to be taken. */
  findPort?: () => Promise<number>;
}

/**
 * Starts the server on a random free port and waits until it really answers.
 * @throws Error with the end of the server's log
 */
export async function startServer(
  postgres: string,
  runner: Runner,
  paths: ClusterPaths,
  { settings, password, findPort = freePort }: StartOptions,
): Promise<ReadyServer> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const server = await launchServer(postgres, runner, paths, await findPort(), settings);
    const client = await connectWhenReady(server, password);
    if (client) return { process: server, client };
    const log = await server.logTail();
    if (!PASSING.test(log) || Date.now() > deadline) {
      throw new Error(`The embedded PostgreSQL did not start; its log ${paths.logFile} ends:\n${log}`);
    }
    await delay(100);
  }
}

/** Resolves to undefined when the process ends before. */
async function connectWhenReady(server: ServerProcess, password: string): Promise<Client | undefined> {
  let since = Date.now();
  while (!server.isGone()) {
    try {
      return await connect(server.port, password);
    } catch (error) {
      const code = error instanceof DatabaseError ? (error.code ?? '') : '';
      if (code === STARTING_UP) since = Date.now();
      // A refusal may come from another server that was quicker to take the port, so ours gets a moment to say so.
      if (Date.now() - since > (REFUSED_LOGIN.test(code) ? 1_000 : PATIENCE)) {
        await server.stop();
        const { message } = error as Error;
        throw new Error(`The embedded PostgreSQL does not let us in: ${message}`, { cause: error });
      }
    }
    await Promise.race([server.exited, delay(20)]);
  }
  return undefined;
}

async function connect(port: number, password: string): Promise<Client> {
  const target = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres', password };
  // ssl is named because PGSSLMODE, set for another server, would ask for it.
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
