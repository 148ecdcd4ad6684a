import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { destination } from 'pino';
import type { Options } from 'pino-http';
import { CONFIG, type Config } from '../config/config';
import { requestContext } from './request-context';

/** Keys whose values never reach a log line, wherever an object with them is logged. */
const SECRET_KEYS = [
  'password',
  'admin_password',
  'token',
  'access_token',
  'refresh_token',
  'websocket_token',
  'credential',
];

/** Structured logs. Every line that a request causes carries its id. */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        // No logger and no middleware of pino-http for each request: the mixin and accessLog do the same.
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

/** Who asks and from where stands in the audit log, not on every line. */
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
 * A failed query's error carries its values, and PostgreSQL's detail the row: neither is for the log.
 * Called with what pino's own serializer made of the error.
 */
function errorForLog(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { type, name, message, stack, code, constraint, aggregateErrors } = error as LoggedError;
  const causes = aggregateErrors?.map((cause) => cause.message);
  return { type: type ?? name, message, stack, code, constraint, causes };
}

/**
 * Standard output, a few lines at a time: a system call for each would stop the event loop for each. What
 * is held back is written at the exit, also one by an exception; only a kill -9 loses the last 200 ms.
 */
function bufferedStdout() {
  return destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 200 });
}

/** A line for each module and route at every start tells an operator nothing. */
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
