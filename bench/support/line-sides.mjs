// The two sides of the benchmarks of waiting customers: the service with a queue, and bare Socket.IO.
import pg from 'pg';
import { benchDatabase } from './database.mjs';
import { insertLinks } from './links.mjs';
import { freePort, startProcess } from './processes.mjs';
import { createTenant } from './seed-calls.mjs';
import { startService } from './service.mjs';
import { startSocketClients } from './socket-clients.mjs';
import { insertWaiting, QUEUE_SETTINGS } from './waiting-line.mjs';

/**
 * Runs a benchmark with a queue of `count` customers, then ends everything that it started.
 * @param variables of both servers
 */
export async function withLine(
  count,
  work,
  { service: serviceVariables = {}, bare: bareVariables = {} } = {},
) {
  const cleanups = [];
  try {
    const database = await benchDatabase();
    cleanups.push(database.stop);
    const db = new pg.Client({ connectionString: database.url });
    await db.connect();
    cleanups.push(() => db.end());
    const { tenant } = await createTenant(db, 'bench');
    const [link] = await insertLinks(db, tenant.id, 1);
    const calls = await insertWaiting(db, link, count);
    const clients = startSocketClients();
    cleanups.push(clients.stop);
    let service = await startService(database.url, { ...QUEUE_SETTINGS, ...serviceVariables });
    // Thousands of disconnects are not recorded at the end.
    cleanups.push(() => service.stop('SIGKILL'));
    const { port, stop } = await startBareSockets(bareVariables);
    cleanups.push(() => stop('SIGKILL'));
    const restart = async () => {
      await service.stop('SIGKILL');
      const PORT = new URL(service.url).port;
      service = await startService(database.url, { ...QUEUE_SETTINGS, ...serviceVariables, PORT });
    };
    const bare = { url: `http://127.0.0.1:${port}`, pid: stop.pid };
    await work({
      db,
      link,
      calls,
      clients,
      service: { url: service.url, pid: service.stop.pid },
      bare,
      restart,
    });
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
}

async function startBareSockets(variables) {
  const port = await freePort();
  const env = { PORT: String(port), ...variables };
  return {
    port,
    stop: await startProcess('bench/support/bare-sockets.mjs', env, `http://127.0.0.1:${port}/`),
  };
}

/** Waits until all disconnects are recorded. */
export async function untilDisconnected(db) {
  while ((await db.query('SELECT FROM connections LIMIT 1')).rows.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
