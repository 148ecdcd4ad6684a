import { hostname } from 'node:os';
import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { destination, type DestinationStream } from 'pino';
import type { Options } from 'pino-http';
import { CONFIG, type Config } from '../config/config';
import { packageInfo } from '../config/package-info';
import { currentTraceId } from '../tracing/tracer';
import { errorForLog, withoutAddresses } from './error-for-log';
import { requestContext } from './request-context';
import { ServiceLogger } from './service-logger';

/** Keys whose values are redacted in logged objects, at the first and second level. */
const SECRET_KEYS = [
  'password',
  'admin_password',
  'token',
  'access_token',
  'refresh_token',
  'websocket_token',
  'credential',
];

/** Structured logs. Every line that a request causes contains the id of the request. */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        // pino-http's middleware is not used: the mixin and accessLog do the same without a logger for each
        // request.
        forRoutes: [],
        pinoHttp: {
          ...loggerOptions(config),
          ...(config.logFormat === 'json' && { stream: bufferedStdout() }),
        },
      }),
    }),
  ],
  providers: [ServiceLogger],
  exports: [ServiceLogger],
})
export class LoggingModule {}

function loggerOptions(config: Config): Options {
  return {
    level: config.logLevel,
    base: { version: packageInfo().version, instance: config.instanceId, hostname: hostname() },
    formatters: { level: (label) => ({ level: label }) },
    mixin: idsForLog,
    hooks: {
      logMethod(args, method) {
        const [entry, message]: unknown[] = args;
        if (isFrameworkLine(entry)) return;
        const error = entry instanceof Error ? entry : (entry as { err?: unknown } | null)?.err;
        // pino would take the message of a line about an error from the error, as it is.
        if (message === undefined && error instanceof Error)
          method.call(this, entry, withoutAddresses(error.message));
        else method.apply(this, args);
      },
    },
    serializers: { err: errorForLog },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
    ...(config.logFormat === 'pretty' && {
      transport: {
        target: 'pino-pretty',
        options: { singleLine: true, ignore: 'version,instance,hostname' },
      },
    }),
  };
}

/** Adds the ids of the request and of the trace to a log line. Actor and address are in the audit log. */
function idsForLog(): { request_id?: string; trace_id?: string } {
  const context = requestContext.getStore();
  const trace_id = currentTraceId();
  return { ...(context && { request_id: context.request_id }), ...(trace_id && { trace_id }) };
}

let stdout: DestinationStream | undefined;

/**
 * Standard output with a buffer, since a system call for each line would block the event loop. The buffer
 * is flushed at exit, also after an exception; only a SIGKILL loses the last 200 ms. There is one for the process,
 * because its timer runs until the process ends.
 */
function bufferedStdout(): DestinationStream {
  stdout ??= destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 200 });
  return stdout;
}

/** Contexts of Nest that log a line for each module and route at every start. */
const FRAMEWORK_CONTEXTS = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'WebSocketsController',
  'NestFactory',
]);

function isFrameworkLine(entry: unknown): boolean {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'context' in entry &&
    FRAMEWORK_CONTEXTS.has(String(entry.context))
  );
}
