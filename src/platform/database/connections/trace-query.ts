import { PipelinedQuery } from '../reads/pipelined-query';
import type { Tracer } from '../../tracing/tracer';

const MAX_TEXT_LENGTH = 4000;

/**
 * Sends a query of pg and records it as a span within the current one. Texts have no values: those are parameters. COPY, whose
 * text has values, is not recorded.
 */
export function traceQuery(tracer: Tracer, query: unknown, send: () => unknown): unknown {
  const isPipelined = query instanceof PipelinedQuery;
  if (!isPipelined && typeof query !== 'string') return send();
  const texts = isPipelined ? query.statements.map(({ text }) => text) : [query];
  const span = tracer.startWithinCurrent({
    name: operationsOf(texts),
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.text': texts.join(';\n').slice(0, MAX_TEXT_LENGTH),
      'db.operation.batch.size': texts.length,
    },
  });
  if (!span) return send();
  if (isPipelined) {
    const { callback } = query;
    query.callback = (error, results) => {
      span.end(error);
      callback(error, results);
    };
    return send();
  }
  const result = send();
  if (result instanceof Promise) {
    result.then(
      () => span.end(),
      (error: unknown) => span.end(error),
    );
  } else span.end();
  return result;
}

/** As `INSERT UPDATE`: the kinds of the statements, without those that only set the scope if there are others. */
function operationsOf(texts: readonly string[]): string {
  const own = texts.filter((text) => !text.startsWith('SELECT set_config('));
  return [...new Set((own.length > 0 ? own : texts).map(operationOf))].join(' ');
}

function operationOf(text: string): string {
  const first = /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL';
  // Several insertions are one statement, whose first ones are in its WITH.
  return first === 'WITH' && text.includes('INSERT INTO') ? 'INSERT' : first;
}
