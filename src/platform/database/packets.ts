import type { Duplex } from 'node:stream';
import type { PoolClient } from 'pg';
import { settleAll } from './settle-all';
import type { Statement } from './statement';

/** pg does not expose its socket. */
const streamOf = (client: PoolClient): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/** Buffers everything that `send` writes, which saves a system call per statement. */
export function inOnePacket<T>(client: PoolClient, send: () => T): T {
  const stream = streamOf(client);
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/**
 * Sends BEGIN and the scope in one packet with the statement that the caller sends next, without waiting for their
 * results. Should one of them fail, the statements that follow see no rows, because they have no scope.
 * @returns a promise to await before COMMIT; unhandled, its rejection does not end the process
 */
export function begin(client: PoolClient, scope: Statement): Promise<unknown> {
  const stream = streamOf(client);
  stream.cork();
  process.nextTick(() => stream.uncork());
  const begun = settleAll([client.query('BEGIN'), client.query(scope)]);
  begun.catch(() => {});
  return begun;
}
