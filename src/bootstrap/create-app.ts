import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import type { Redis } from 'ioredis';
import { AppModule } from '../app.module';
import type { Config } from '../platform/config/config';
import { ServiceLogger } from '../platform/logging/service-logger';
import { SocketAdapter } from '../live/adapter/socket.adapter';
import { REDIS } from '../platform/redis/redis.module';
import { configureHttp } from './configure-http';
import type { ServiceServer } from './service-server';

/**
 * Creates the application of a server, ready to be initialised and served. The database of config.databaseUrl must have been
 * prepared.
 */
export async function createApp(config: Config, server: ServiceServer): Promise<NestExpressApplication> {
  const adapter = new ExpressAdapter();
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config), adapter, {
    bufferLogs: true,
    bodyParser: false,
    // The caller reports a failed start and rolls it back.
    abortOnError: false,
  });
  adapter.setHttpServer(server.http);
  return configureApp(app, config);
}

/** The configuration that the service shares with the application of the tests. */
export function configureApp(app: NestExpressApplication, config: Config): NestExpressApplication {
  app.useLogger(app.get(ServiceLogger));
  configureHttp(app, config);
  app.useWebSocketAdapter(new SocketAdapter(app, config, app.get<Redis | undefined>(REDIS)));
  return app;
}
