import { setTimeout } from 'node:timers/promises';
import { envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { packageInfo } from '../platform/config/package-info';

/** A collector that does not answer must not delay the end of the process for long. */
const SHUTDOWN_TIMEOUT_MS = 3000;

/**
 * Starts OpenTelemetry's SDK, which reads OTEL_* itself. It is used for traces only: metrics are scraped, and logs are
 * written to standard output. This module must be loaded only if traces are on, because the SDK is large.
 * @returns a function that sends the spans that have ended, and stops
 */
export function startOpenTelemetry(instanceId: string): () => Promise<void> {
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
  return () =>
    Promise.race([
      sdk.shutdown().catch(() => undefined),
      setTimeout(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false }),
    ]);
}
