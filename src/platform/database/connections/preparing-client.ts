import { Client, type ClientConfig } from 'pg';
import { sendTogether } from '../packets';
import { sendBatch } from './statement-batch';
import { StatementNames } from './statement-names';

/** One for the process, so that a name stands for the same text in every connection. */
const NAMES = new StatementNames();

/**
 * Whether a prepared statement failed because a migration has changed its result, for example by a column that
 * `SELECT *` returns.
 */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error &&
  (error as { code?: unknown }).code === '0A000' &&
  error.message.includes('cached plan must not change result type');

type Send = (...args: unknown[]) => unknown;

/**
 * A connection that prepares the statements that are sent again and again. Only those with parameters: others, such as
 * COMMIT, cost nothing to parse. Statements that are given as objects choose their name themselves. Statements that do not
 * wait for each other are sent in one packet.
 */
export class PreparingClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    // A connection that breaks rejects its queries, and also emits 'error', which would end the process without a listener.
    this.on('error', () => {});
  }
}

// The overloads of the type cannot be overridden by a method.
PreparingClient.prototype.query = function (this: Client, ...[text, values, ...rest]: unknown[]) {
  sendBatch(this);
  sendTogether(this);
  const send = Client.prototype.query.bind(this) as Send;
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
    return send(text, values, ...rest);
  }
  return send({ name: NAMES.nameOf(text), text, values }, ...rest);
} as Client['query'];
