import * as api from '@opentelemetry/api';
import { envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { packageInfo } from '../config/package-info';
import type { Span, SpanDescription, SpanKind, Tracer } from './tracer';

/** A collector that does not answer must not delay the end of the process for long. */
const SHUTDOWN_TIMEOUT_MS = 3000;

const KINDS: Record<SpanKind, api.SpanKind> = {
  server: api.SpanKind.SERVER,
  client: api.SpanKind.CLIENT,
  consumer: api.SpanKind.CONSUMER,
};

export interface StartedTracing {
  tracer: Tracer;
  /** Sends the spans that have ended. */
  shutdown: () => Promise<void>;
}

/**
 * Starts OpenTelemetry's SDK, which reads OTEL_* itself. It is used for traces only: metrics are scraped, and logs are
 * written to standard output. This module must be loaded only if traces are on, because the SDK is large.
 */
export function startOpenTelemetry(instanceId: string): StartedTracing {
  const { name, version } = packageInfo();
  const sdk = new NodeSDK({
    // The variables of the environment take precedence.
    resource: resourceFromAttributes({
      'service.name': name,
      'service.version': version,
      'service.instance.id': instanceId,
    }),
    resourceDetectors: [envDetector],
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  return {
    tracer: new OpenTelemetryTracer(api.trace.getTracer(name, version)),
    shutdown: () => Promise.race([sdk.shutdown().catch(() => undefined), timeout()]),
  };
}

const timeout = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, SHUTDOWN_TIMEOUT_MS).unref();
  });

/** Without the sender's baggage, which would be stored with jobs and sent on to others. */
const parentOf = (carrier: unknown): api.Context =>
  api.propagation.deleteBaggage(api.propagation.extract(api.ROOT_CONTEXT, carrier));

class OpenTelemetryTracer implements Tracer {
  constructor(private readonly tracer: api.Tracer) {}

  start({ name, kind, attributes, carrier }: SpanDescription): Span {
    const parent = carrier === undefined ? api.context.active() : parentOf(carrier);
    const options = { kind: KINDS[kind], ...(attributes && { attributes }) };
    return new OpenTelemetrySpan(this.tracer.startSpan(name, options, parent), parent);
  }

  startWithinCurrent(description: SpanDescription): Span | undefined {
    return api.trace.getActiveSpan()?.isRecording() ? this.start(description) : undefined;
  }

  get traceId(): string | undefined {
    return api.trace.getActiveSpan()?.spanContext().traceId;
  }

  inject<Carrier extends object>(carrier: Carrier): Carrier {
    api.propagation.inject(api.context.active(), carrier);
    return carrier;
  }

  bind<Arguments extends unknown[], Result>(
    callback: (...args: Arguments) => Result,
  ): (...args: Arguments) => Result {
    return api.context.bind(api.context.active(), callback);
  }
}

class OpenTelemetrySpan implements Span {
  private readonly context: api.Context;

  constructor(
    private readonly span: api.Span,
    parent: api.Context,
  ) {
    this.context = api.trace.setSpan(parent, span);
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  run<T>(work: () => T): T {
    return api.context.with(this.context, work);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  setAttributes(attributes: api.Attributes): void {
    this.span.setAttributes(attributes);
  }

  end(failure?: unknown): void {
    if (failure !== undefined && failure !== null) {
      const { code, name } = failure as { code?: string | number; name?: string };
      this.span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
      this.span.setStatus({ code: api.SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}
