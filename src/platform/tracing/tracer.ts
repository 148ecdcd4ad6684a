import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { packageInfo } from '../config/package-info';

/** Attributes follow OpenTelemetry's semantic conventions. No values that a client sent: they may be personal data. */
export interface SpanDescription extends Pick<SpanOptions, 'kind' | 'attributes'> {
  name: string;
  /** What names the span that this one belongs to (`traceparent`), if that is not the current one. */
  carrier?: unknown;
}

const { name: scope, version } = packageInfo();
/** Does nothing unless `startOpenTelemetry` was called. */
const tracer = trace.getTracer(scope, version);

/** Begins a span, and calls work, whose spans belong to it and which has it ended. */
export function runInSpan<T>({ name, carrier, ...options }: SpanDescription, work: (span: Span) => T): T {
  // Without the sender's baggage, which would be stored with jobs and sent on to others.
  const parent =
    carrier === undefined
      ? context.active()
      : propagation.deleteBaggage(propagation.extract(ROOT_CONTEXT, carrier));
  return tracer.startActiveSpan(name, options, parent, work);
}

/** Runs work within a span of its own, which ends with it. */
export function traced<T>(description: SpanDescription, work: (span: Span) => Promise<T>): Promise<T> {
  return runInSpan(description, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Only the type of the failure is recorded, because its message may contain personal data. */
export function markFailed(span: Span, failure: unknown): void {
  const { code, name } = (failure ?? {}) as { code?: string | number; name?: string };
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** A copy of the object with the fields that name the current span (`traceparent`). */
export function withTraceParent<Carrier extends object>(carrier: Carrier): Carrier {
  const copy = { ...carrier };
  propagation.inject(context.active(), copy);
  return copy;
}

/** The trace of the running code. */
export const currentTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

/**
 * Whether the environment turns traces on by OpenTelemetry's variables: by the address of a collector, or by an exporter.
 * They stay off without any, unlike in OpenTelemetry's SDK, which would send them to localhost.
 */
export function isTracingOn(environment: Record<string, string | undefined>): boolean {
  if (environment.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return false;
  const exporter = environment.OTEL_TRACES_EXPORTER?.trim();
  if (exporter) return exporter !== 'none';
  return Boolean(environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}
