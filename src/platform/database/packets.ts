import type { Duplex } from 'node:stream';
import type { Client } from 'pg';

const corked = new WeakSet<Duplex>();

/** pg does not expose its socket. */
const streamOf = (client: Client): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/**
 * Buffers what is written to the connection until the running callback and all promises that are settled already have
 * continued: statements that do not wait for each other's results are sent in one packet. The system call of a packet
 * costs several times as much as a statement in it.
 */
export function sendTogether(client: Client): void {
  const stream = streamOf(client);
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
}
