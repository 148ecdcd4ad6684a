import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { CONFIG, type Config } from '../config/config';
import { requestContext } from './request-context';

/** Keys whose values never reach a log line, wherever an object with them is logged. */
const SECRETS = [
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
        // pino-http's logger and line for each request cost more than the rest of a request's way in:
        // the mixin and accessLog do the same work.
        forRoutes: [],
        pinoHttp: {
          level: config.logLevel,
          mixin: () => requestContext.getStore() ?? {},
          hooks: {
            logMethod(args, method) {
              if (!isFrameworkNoise(args[0])) method.apply(this, args);
            },
          },
          redact: { paths: SECRETS.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
          ...(config.logFormat === 'pretty'
            ? {
                transport: { target: 'pino-pretty', options: { singleLine: true, ignore: 'pid,hostname' } },
              }
            : {}),
        },
      }),
    }),
  ],
})
export class LoggingModule {}

/** A line for each module and route at every start tells an operator nothing. */
const NOISY = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'WebSocketsController',
  'NestFactory',
]);

function isFrameworkNoise(entry: unknown): boolean {
  return (
    typeof entry === 'object' && entry !== null && 'context' in entry && NOISY.has(String(entry.context))
  );
}
