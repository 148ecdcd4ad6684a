import { Client, type ClientConfig } from 'pg';
import { activeTracer } from '../../tracing/tracer';
import { sendTogether } from '../packets';
import { sendBatch } from './statement-batch';
import { StatementNames } from './statement-names';
import { traceQuery } from './trace-query';

/**
 * TypeORM writes a text for each set of columns that a client changes. So its texts have names of their own: those of the
 * code (`prepared`) do not run out, however many sets a company sends.
 */
const TYPEORM_NAMES = new StatementNames('t', 100);

type Send = (...args: unknown[]) => unknown;

/**
 * A connection that prepares the statements that are sent again and again. TypeORM gives them as texts, of which those with
 * parameters are named here; statements that are given as objects have their names already (`prepared`). Statements that
 * do not wait for each other are sent in one packet.
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
  const query = Client.prototype.query.bind(this) as Send;
  const isText = typeof text === 'string' && Array.isArray(values) && values.length > 0;
  const send = () =>
    isText
      ? query({ name: TYPEORM_NAMES.nameOf(text), text, values }, ...rest)
      : query(text, values, ...rest);
  const tracer = activeTracer();
  return tracer ? traceQuery(tracer, text, send) : send();
} as Client['query'];
