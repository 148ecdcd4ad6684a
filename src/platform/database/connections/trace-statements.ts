import { activeTracer } from '../../tracing/tracer';
import type { Statement } from '../statement';

const MAX_TEXT_LENGTH = 4000;

/** Sends statements and records them as one span within the current one. Texts have no values: those are parameters. */
export async function tracedStatements<T>(
  statements: readonly Statement[],
  send: () => Promise<T>,
): Promise<T> {
  const tracer = activeTracer();
  if (!tracer) return send();
  const texts = statements.map(({ text }) => text);
  const span = tracer.startWithinCurrent({
    name: operationsOf(texts),
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.text': texts.join(';\n').slice(0, MAX_TEXT_LENGTH),
      'db.operation.batch.size': texts.length,
    },
  });
  try {
    const result = await send();
    span?.end();
    return result;
  } catch (error) {
    span?.end(error);
    throw error;
  }
}

/** As `INSERT UPDATE`: the kinds of the statements. */
const operationsOf = (texts: readonly string[]): string =>
  [...new Set(texts.map((text) => /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL'))].join(' ');
