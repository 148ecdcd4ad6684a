import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { destination, type DestinationStream } from 'pino';
import type { Options } from 'pino-http';
import { CONFIG, type Config } from '../config/config';
import { requestContext } from './request-context';

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
})
export class LoggingModule {}

function loggerOptions(config: Config): Options {
  return {
    level: config.logLevel,
    mixin: requestIdForLog,
    hooks: {
      logMethod(args, method) {
        if (!isFrameworkLine(args[0])) method.apply(this, args);
      },
    },
    serializers: { err: errorForLog },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
    ...(config.logFormat === 'pretty' && {
      transport: { target: 'pino-pretty', options: { singleLine: true, ignore: 'pid,hostname' } },
    }),
  };
}

/** Adds the request's id to a log line. Actor and address are in the audit log. */
function requestIdForLog(): { request_id?: string } {
  const context = requestContext.getStore();
  return context ? { request_id: context.request_id } : {};
}

interface LoggedError {
  type?: string;
  name?: string;
  message?: string;
  stack?: string;
  code?: unknown;
  constraint?: unknown;
  aggregateErrors?: LoggedError[];
}

/**
 * Reduces an error, as pino has serialized it, to fields without personal data: the error of a failed query
 * contains the query's values, and the detail from PostgreSQL contains the row.
 */
function errorForLog(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { type, name, message, stack, code, constraint, aggregateErrors } = error as LoggedError;
  const causes = aggregateErrors?.map((cause) => cause.message);
  return { type: type ?? name, message, stack, code, constraint, causes };
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
