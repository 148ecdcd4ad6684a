import { isTracingOn } from './tracer';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('isTracingOn', () => {
  it.each([
    [false, {}],
    [false, { OTEL_SERVICE_NAME: 'calls' }],
    [false, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    [true, ENDPOINT],
    [true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }],
    [true, { OTEL_TRACES_EXPORTER: 'console' }],
    [false, { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    [false, { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
    [true, { ...ENDPOINT, OTEL_SDK_DISABLED: 'false' }],
  ])('is %s for %j', (expected, environment) => expect(isTracingOn(environment)).toBe(expected));
});
