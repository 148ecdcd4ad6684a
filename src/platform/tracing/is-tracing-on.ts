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
