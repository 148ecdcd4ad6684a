import { AsyncLocalStorage } from 'node:async_hooks';
import { Test } from '@nestjs/testing';
import type { Type } from '@nestjs/common';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import { AppModule } from '../../src/app.module';
import { configureApp } from '../../src/bootstrap/create-app';
import { ServiceServer } from '../../src/bootstrap/service-server';
import { Clock } from '../../src/platform/clock/clock';
import { PasswordHasher } from '../../src/identity/users/password-hasher';
import { TaskIntervals } from '../../src/platform/jobs/task-intervals';
import { PoolAdmission } from '../../src/platform/database/connections/pool-admission';
import { LinkPages } from '../../src/pages/customer/link-pages';
import { RecordingInspector } from '../../src/recordings/recording-inspector';
import { loadConfig } from '../../src/platform/config/config';
import { Api } from './http/api';
import { cloneDatabase, connectionPool } from './database/database';
import { SERVICE_ROLE } from './database/service-role';
import { TestClock } from './test-clock';
import type { TestedService } from './tested-service';

export interface TestApp extends TestedService {
  app: NestExpressApplication;
  clock: TestClock;
  databaseUrl: string;
  /** Returns a provider of the application. */
  get<T>(provider: Type<T>): T;
  /** Whether other specs use this application, too. */
  isShared?: true;
  close(): Promise<void>;
}

interface Options {
  env?: Record<string, string>;
  /** Additional modules of the spec, with probe controllers or listeners. */
  imports?: Type[];
  /** The database of another application. By default the application gets its own. */
  databaseUrl?: string;
  /** The role that prepareDatabase returned for that database. */
  databaseRole?: string;
  /** Hashes passwords at the cost of the service, and waits no longer than the service on a busy machine. */
  asInProduction?: boolean;
  /** False for an instance that runs no jobs. */
  runsJobs?: boolean;
}

/** Allows webhooks to receivers on loopback. */
const ALLOWED_RECEIVERS = { WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' };

const GENEROUS_LIMITS = {
  AUTH_RATE_LIMIT: '100000',
  AUTH_ADDRESS_RATE_LIMIT: '100000',
  PUBLIC_RATE_LIMIT: '100000',
  PAGE_RATE_LIMIT: '100000',
  API_RATE_LIMIT: '100000',
};

/** Tests move the clock while customers without sockets wait. */
const LONG_ABSENCE = { QUEUE_ABSENCE_SECONDS: '360000000' };

/** Background tasks run twice as often, at most four times a second: idle sweeps of many applications cost CPU time. */
const SHORT_INTERVALS: TaskIntervals = { of: (regularMs) => Math.max(250, regularMs / 2) };

/** Hashes passwords at the lowest cost: at the service's cost, the suite spent a sixth of its CPU time on them. */
class FastPasswordHasher extends PasswordHasher {
  protected override readonly cost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
}

/** A busy machine can be ten times slower than the waits of the service allow for. */
class PatientPoolAdmission extends PoolAdmission {
  override readonly waitMs = 25_000;
  /** So that public requests wait for a lock for 10 s, as other requests do. */
  override readonly publicWaitMs = 25_000;
}

/** Specs open pages right after what they have changed. */
class CurrentLinkPages extends LinkPages {
  protected override readonly maxAgeMs = 0;
}

class PatientRecordingInspector extends RecordingInspector {
  protected override readonly responseMs = 20_000;
}

/**
 * Calls a function in the asynchronous context in which this module was loaded. Jest has a context for each hook and
 * test, and a timer keeps the one in which it was set: the timers of an application would keep everything that its spec
 * made in memory.
 */
const outsideOfTests = AsyncLocalStorage.snapshot();

/** Starts the application on its own database, listening on loopback, with a clock that tests can advance. */
export function startTestApp(options?: Options): Promise<TestApp> {
  return outsideOfTests(start, options);
}

/** The application with several connections to its database, for a spec that runs rounds of a race at the same time. */
export function withConnectionPool(test: TestApp): TestApp {
  const db = connectionPool(test.databaseUrl);
  const close = async () => {
    await db.end();
    await test.close();
  };
  return { ...test, db, close };
}

async function start({
  env = {},
  imports = [],
  databaseUrl,
  databaseRole = SERVICE_ROLE,
  asInProduction = false,
  runsJobs = true,
}: Options = {}): Promise<TestApp> {
  const database = databaseUrl ? { url: databaseUrl, drop: async () => {} } : await cloneDatabase();
  const config = {
    ...loadConfig({
      NODE_ENV: 'test',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
      DATA_DIR: process.env.TEST_DATA_DIR,
      PUBLIC_URL: 'http://localhost:3000',
      ...GENEROUS_LIMITS,
      ...LONG_ABSENCE,
      ...ALLOWED_RECEIVERS,
      ...env,
    }),
    databaseUrl: database.url,
    databaseRole,
    isWorker: runsJobs,
  };
  const clock = new TestClock();
  const module = await Test.createTestingModule({ imports: [AppModule.with(config), ...imports] })
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(TaskIntervals)
    .useValue(SHORT_INTERVALS)
    .overrideProvider(PasswordHasher)
    .useClass(asInProduction ? PasswordHasher : FastPasswordHasher)
    .overrideProvider(PoolAdmission)
    .useClass(asInProduction ? PoolAdmission : PatientPoolAdmission)
    .overrideProvider(LinkPages)
    .useClass(asInProduction ? LinkPages : CurrentLinkPages)
    .overrideProvider(RecordingInspector)
    .useClass(asInProduction ? RecordingInspector : PatientRecordingInspector)
    .compile();
  const server = await ServiceServer.listen({ port: 0, host: '127.0.0.1' });
  const adapter = new ExpressAdapter();
  const app = module.createNestApplication<NestExpressApplication>(adapter, {
    bufferLogs: true,
    bodyParser: false,
  });
  adapter.setHttpServer(server.http);
  await configureApp(app, config).init();
  server.serve(app.getHttpAdapter().getInstance());
  const url = `http://127.0.0.1:${server.port}`;
  const db = new Client({ connectionString: database.url });
  // Dropping the database at the end closes the connection, which is not an error.
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
      server.close();
      await app.close();
      await database.drop();
    },
  };
}
