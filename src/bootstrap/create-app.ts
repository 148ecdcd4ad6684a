import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Redis } from 'ioredis';
import { Logger } from 'nestjs-pino';
import { AppModule } from '../app.module';
import type { Config } from '../platform/config/config';
import { configureHttp } from './configure-http';
import { SocketAdapter } from '../platform/realtime/socket.adapter';
import { REDIS } from '../platform/redis/redis.module';

/** The application, ready to listen. The database behind config.databaseUrl has been prepared. */
export async function createApp(config: Config): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config), {
    bufferLogs: true,
    bodyParser: false,
    // A start that fails is explained, and what it has begun undone, by the caller.
    abortOnError: false,
    // By the time of the close, requests have been drained: what is still open has stalled.
    forceCloseConnections: true,
  });
  return configureApp(app, config);
}

/** Milliseconds. */
const LONGEST_SILENCE = 300_000;

/** What is the same for the service and for the tests' application. */
export function configureApp(app: NestExpressApplication, config: Config): NestExpressApplication {
  app.useLogger(app.get(Logger));
  configureHttp(app, config);
  const server: Server = app.getHttpServer();
  // A recording takes hours over a poor network: what ends a request is silence, not its length.
  server.requestTimeout = 0;
  server.timeout = LONGEST_SILENCE;
  app.useWebSocketAdapter(new SocketAdapter(app, config, app.get<Redis | undefined>(REDIS)));
  return app;
}
