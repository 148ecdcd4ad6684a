import { SpanKind, trace } from '@opentelemetry/api';
import { traced } from '../../tracing/tracer';
import type { Statement } from '../statement';

const MAX_TEXT_LENGTH = 4000;

/** Sends statements and records them as one span within the current one. Texts have no values: those are parameters. */
export async function tracedStatements<T>(
  statements: readonly Statement[],
  send: () => Promise<T>,
): Promise<T> {
  // What runs outside of requests, events and jobs is not recorded.
  if (!trace.getActiveSpan()?.isRecording()) return send();
  const texts = statements.map(({ text }) => text);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.text': texts.join(';\n').slice(0, MAX_TEXT_LENGTH),
    'db.operation.batch.size': texts.length,
  };
  return traced({ name: operationsOf(texts), kind: SpanKind.CLIENT, attributes }, send);
}

/** As `INSERT UPDATE`: the kinds of the statements. */
const operationsOf = (texts: readonly string[]): string =>
  [...new Set(texts.map((text) => /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL'))].join(' ');
