import type { Client, ClientBase } from 'pg';
import { PipelinedQuery, type StatementResult } from '../reads/pipelined-query';
import { parserOfEntities } from '../reads/row-reader';
import type { Statement } from '../statement';

interface Waiting {
  statement: Statement;
  resolve: (result: StatementResult) => void;
  reject: (error: unknown) => void;
}

/** The statements of each connection that will be sent next. */
const open = new WeakMap<ClientBase, Waiting[]>();

/**
 * Sends a statement in one query with those that the running callback, and all promises that are settled already, send on
 * the same connection: PostgreSQL then answers all of them in one packet, after the last one. After an error it ignores the
 * others, which fail with the same error. So the statements must belong to one transaction.
 */
export function sendInBatch(client: ClientBase, statement: Statement): Promise<StatementResult> {
  const batch = open.get(client) ?? begin(client);
  return new Promise((resolve, reject) => {
    batch.push({ statement, resolve, reject });
  });
}

function begin(client: ClientBase): Waiting[] {
  const batch: Waiting[] = [];
  open.set(client, batch);
  process.nextTick(() => sendBatch(client));
  return batch;
}

/** Sends what waits to be sent on the connection, before a statement that is not part of a batch. */
export function sendBatch(client: ClientBase): void {
  const batch = open.get(client);
  if (!batch) return;
  open.delete(client);
  const statements = batch.map(({ statement }) => statement);
  const finish = (error: unknown, results: StatementResult[] = []) => {
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index];
      if (result) resolve(result);
      else reject(error);
    }
  };
  // pg returns the query itself, not a promise.
  void (client as Client).query(new PipelinedQuery(statements, parserOfEntities, finish));
}
