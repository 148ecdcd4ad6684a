import { type Span, SpanKind, trace } from '@opentelemetry/api';
import {
  type AfterQueryEvent,
  type BeforeQueryEvent,
  type EntitySubscriberInterface,
  EventSubscriber,
  type QueryRunner,
} from 'typeorm';
import { markFailed, runInSpan, type SpanDescription, traced } from '../../tracing/tracer';
import type { Statement } from '../statement';

const MAX_TEXT_LENGTH = 4000;

/** What runs outside of requests, events and jobs is not recorded. */
const isRecorded = (): boolean => trace.getActiveSpan()?.isRecording() === true;

/** Sends statements and records them as one span within the current one. */
export async function tracedStatements<T>(
  statements: readonly Statement[],
  send: () => Promise<T>,
): Promise<T> {
  if (!isRecorded()) return send();
  return traced(describe(statements.map(({ text }) => text)), send);
}

/** Records the statements of TypeORM's repositories. */
@EventSubscriber()
export class StatementTraces implements EntitySubscriberInterface {
  /** A connection answers its statements in order. */
  private readonly spans = new WeakMap<QueryRunner, (Span | undefined)[]>();

  beforeQuery({ query, queryRunner }: BeforeQueryEvent): void {
    const open = this.spans.get(queryRunner) ?? [];
    this.spans.set(queryRunner, open);
    open.push(isRecorded() ? runInSpan(describe([query]), (span) => span) : undefined);
  }

  afterQuery({ queryRunner, success, error }: AfterQueryEvent): void {
    const span = this.spans.get(queryRunner)?.shift();
    if (span && !success) markFailed(span, error);
    span?.end();
  }
}

/** Texts have no values: those are parameters. */
const describe = (texts: readonly string[]): SpanDescription => ({
  name: operationsOf(texts),
  kind: SpanKind.CLIENT,
  attributes: {
    'db.system.name': 'postgresql',
    'db.query.text': texts.join(';\n').slice(0, MAX_TEXT_LENGTH),
    'db.operation.batch.size': texts.length,
  },
});

/** As `INSERT UPDATE`: the kinds of the statements. */
const operationsOf = (texts: readonly string[]): string =>
  [...new Set(texts.map((text) => /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL'))].join(' ');
