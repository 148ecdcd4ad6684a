import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Redis } from 'ioredis';
import { AppModule } from '../app.module';
import type { Config } from '../platform/config/config';
import { configureHttp } from './configure-http';
import { EnvelopingAdapter } from '../platform/http/enveloping-adapter';
import { acceptExpectations } from '../platform/http/expectation';
import { ServiceLogger } from '../platform/logging/service-logger';
import { SocketAdapter } from '../platform/realtime/socket.adapter';
import { REDIS } from '../platform/redis/redis.module';

/** Creates the application, ready to listen. The database of config.databaseUrl must have been prepared. */
export async function createApp(config: Config): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(config),
    new EnvelopingAdapter(),
    {
      bufferLogs: true,
      bodyParser: false,
      // The caller reports a failed start and rolls it back.
      abortOnError: false,
      // Requests are drained before the application is closed: connections that are still open have stalled.
      forceCloseConnections: true,
    },
  );
  return configureApp(app, config);
}

/** A connection on which nothing is sent or received is closed after this time. */
const IDLE_TIMEOUT_MS = 300_000;

/** The configuration that the service shares with the application of the tests. */
export function configureApp(app: NestExpressApplication, config: Config): NestExpressApplication {
  app.useLogger(app.get(ServiceLogger));
  configureHttp(app, config);
  const server: Server = app.getHttpServer();
  // Uploading a recording over a slow network takes hours, so requests are limited by idle time, not by duration.
  server.requestTimeout = 0;
  server.timeout = IDLE_TIMEOUT_MS;
  acceptExpectations(server);
  app.useWebSocketAdapter(new SocketAdapter(app, config, app.get<Redis | undefined>(REDIS)));
  return app;
}
