import type { AddressInfo } from 'node:net';
import { Test } from '@nestjs/testing';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import { AppModule } from '../../src/app.module';
import { configureApp } from '../../src/bootstrap/create-app';
import { Clock } from '../../src/platform/clock/clock';
import { TaskIntervals } from '../../src/platform/jobs/task-intervals';
import { loadConfig } from '../../src/platform/config/config';
import { Api } from './http/api';
import { cloneDatabase } from './database/database';
import { TestClock } from './test-clock';

export interface TestApp {
  app: NestExpressApplication;
  url: string;
  api: Api;
  clock: TestClock;
  /** A superuser's connection to the spec's database, for looking at rows. */
  db: Client;
  databaseUrl: string;
  /** The service's own provider. */
  get<T>(provider: Type<T>): T;
  close(): Promise<void>;
}

interface Options {
  env?: Record<string, string>;
  /** Modules that only the spec has, with probe controllers or listeners. */
  imports?: Type[];
  /** Runs beside another application on the same database. */
  databaseUrl?: string;
  /** The role that prepareDatabase found for that database. */
  databaseRole?: string;
}

/** Webhooks may lead to receivers on loopback. */
const WITH_RECEIVERS = { WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' };

const GENEROUS_LIMITS = {
  AUTH_RATE_LIMIT: '100000',
  AUTH_ADDRESS_RATE_LIMIT: '100000',
  PUBLIC_RATE_LIMIT: '100000',
  API_RATE_LIMIT: '100000',
};

/** Background tasks run ten times as often, but no more than ten times a second. */
const SHORT_INTERVALS: TaskIntervals = { of: (regularMs) => Math.max(100, regularMs / 10) };

/** The real application on a database of its own, listening on loopback, with a clock that can be moved. */
export async function startTestApp({
  env = {},
  imports = [],
  databaseUrl,
  databaseRole = 'video_queue_app',
}: Options = {}): Promise<TestApp> {
  const database = databaseUrl ? { url: databaseUrl, drop: async () => {} } : await cloneDatabase();
  const config = {
    ...loadConfig({
      NODE_ENV: 'test',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
      DATA_DIR: process.env.TEST_DATA_DIR,
      PUBLIC_URL: 'http://localhost:3000',
      ...GENEROUS_LIMITS,
      ...WITH_RECEIVERS,
      ...env,
    }),
    databaseUrl: database.url,
    databaseRole,
  };
  const clock = new TestClock();
  const module = await Test.createTestingModule({ imports: [AppModule.with(config), ...imports] })
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(TaskIntervals)
    .useValue(SHORT_INTERVALS)
    .compile();
  const app = configureApp(
    module.createNestApplication<NestExpressApplication>({ bufferLogs: true, bodyParser: false }),
    config,
  );
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const db = new Client({ connectionString: database.url });
  // The drop at the end cuts the connection; that is no failure.
  db.on('error', () => {});
  await db.connect();
  return {
    app,
    url,
    api: new Api(url),
    clock,
    db,
    databaseUrl: database.url,
    get: (provider) => app.get(provider, { strict: false }),
    close: async () => {
      await db.end();
      await app.close();
      await database.drop();
    },
  };
}
