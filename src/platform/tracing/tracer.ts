import type { Attributes } from '@opentelemetry/api';

export type SpanKind = 'server' | 'client' | 'consumer';

export interface SpanDescription {
  name: string;
  kind: SpanKind;
  /** By OpenTelemetry's semantic conventions. No values that a client sent: they may be personal data. */
  attributes?: Attributes;
  /** What names the span that this one belongs to (`traceparent`), if that is not the current one. */
  carrier?: unknown;
}

/** A span that has begun. */
export interface Span {
  readonly traceId: string;
  /** Runs work whose spans belong to this one. */
  run<T>(work: () => T): T;
  rename(name: string): void;
  setAttributes(attributes: Attributes): void;
  /** @param failure marks the span as failed; only its type is recorded, because its message may contain personal data */
  end(failure?: unknown): void;
}

/** Records spans. There is one only if traces are on (OTEL_*). */
export interface Tracer {
  start(description: SpanDescription): Span;
  /** As `start`, but only within another span: what runs outside of requests, events and jobs is not recorded. */
  startWithinCurrent(description: SpanDescription): Span | undefined;
  /** The trace of the running code. */
  readonly traceId: string | undefined;
  /** Adds the fields that name the current span (`traceparent`). */
  inject<Carrier extends object>(carrier: Carrier): Carrier;
  /** A function that runs in the context of the present code, whoever calls it. */
  bind<Arguments extends unknown[], Result>(
    callback: (...args: Arguments) => Result,
  ): (...args: Arguments) => Result;
}

let current: Tracer | undefined;

/** Undefined while traces are off, so that they cost a comparison. */
export const activeTracer = (): Tracer | undefined => current;

/** Turns traces on or off. */
export function setTracer(tracer: Tracer | undefined): void {
  current = tracer;
}

/** Runs work within a span of its own, if traces are on. @param describe is called only then */
export async function traced<T>(
  describe: () => SpanDescription,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (current === undefined) return work();
  const span = current.start(describe());
  try {
    const result = await span.run(() => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
