import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { CONFIG, type Config } from '../config/config';
import { requestId } from '../http/request-id';

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

/** One structured line a request, with its id; tokens, passwords and the tokens in addresses blanked out. */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        pinoHttp: {
          level: config.logLevel,
          genReqId: requestId,
          quietReqLogger: true,
          hooks: {
            logMethod(args, method) {
              if (!isFrameworkNoise(args[0])) method.apply(this, args);
            },
          },
          customAttributeKeys: { reqId: 'request_id' },
          autoLogging: { ignore: (request) => QUIET.test(request.url ?? '') },
          customLogLevel: (_request, response, error) =>
            error || response.statusCode >= 500 ? 'error' : 'info',
          serializers: {
            req: (request: { method: string; url: string; remoteAddress: string }) => ({
              method: request.method,
              url: withoutTokens(request.url),
              address: request.remoteAddress,
            }),
            res: (response: { statusCode: number }) => ({ status: response.statusCode }),
          },
          redact: { paths: SECRETS.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
          ...(config.logFormat === 'pretty'
            ? { transport: { target: 'pino-pretty', options: { singleLine: true, ignore: 'pid,hostname' } } }
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

/** Asked every few seconds by machines; their answers are told by metrics. */
const QUIET = /^\/(healthz|readyz|metrics)\b/;

/** An access link's token opens a queue to whoever reads it; a query may carry a token, too. */
export function withoutTokens(url: string): string {
  return url
    .replace(/(\/api\/v1\/call\/)(?!status\/|evaluate\/|cancel\/|resume|turn-credentials)[^/?]+/, '$1[token]')
    .replace(/([?&](?:token|ticket|access_token)=)[^&]*/gi, '$1[redacted]');
}
