import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './create-app';
import { DemoSeeder } from '../demo/demo-seeder';
import { RequestDrain } from './request-drain';
import { greeting } from './greeting';
import { LiveSockets } from '../live/live-sockets';
import { type Config, loadConfig } from '../platform/config/config';
import { exportSdkSecrets } from '../platform/config/secret-files';
import { lockDataDir } from '../platform/database/embedded/data-dir-lock';
import { startEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres';
import { prepareDatabase } from '../operator/migration/prepare-database';
import { requireSchema } from '../operator/migration/schema-state';
import { isTracingOn } from '../platform/tracing/tracer';
import { Lifecycle } from '../platform/http/lifecycle';
import { StartupSequence } from './startup-sequence';
import { ServiceServer } from './service-server';
import { stopOnSignals } from './stop-on-signals';
import { explainStartFailure } from './explain-start-failure';

/** Starts the service and runs it until a signal stops it. A failed start is reported and exits with 1. */
export async function runService(): Promise<void> {
  const startup = new StartupSequence();
  let drainSeconds = 0;
  const starting = (async () => {
    const settings = { ...loadConfig(process.env), instanceId: randomUUID() };
    drainSeconds = settings.drainSeconds;
    await start(startup, settings);
  })();
  stopOnSignals(
    async () => {
      startup.abort();
      // Wait for the startup step in progress: a half-started step cannot be rolled back.
      await starting.catch(() => undefined);
      await startup.rollback();
    },
    () => drainSeconds * 1000,
  );
  try {
    await starting;
  } catch (error) {
    if (startup.isAborted) return;
    process.stderr.write(`${explainStartFailure(error)}\n`);
    process.exitCode = 1;
    await startup
      .rollback()
      .catch((failure: unknown) => process.stderr.write(`${explainStartFailure(failure)}\n`));
    process.exit();
  }
}

async function start(startup: StartupSequence, settings: Config & { instanceId: string }): Promise<void> {
  await startTracing(settings.instanceId, startup);
  const server = await ServiceServer.listen(settings);
  startup.onRollback(async () => server.close());
  startup.throwIfAborted();
  const config = await prepareConfiguredDatabase(settings, startup);
  const app = await createApp(config, server);
  const lifecycle = app.get(Lifecycle, { strict: false });
  const drain = new RequestDrain(lifecycle);
  drain.watch(server.http);
  let isServing = false;
  startup.onRollback(async () => {
    lifecycle.beginDrain();
    // Before, it was never ready.
    if (isServing) await setTimeout(config.drainSeconds * 1000);
    await shutDown(app, drain, server);
  });
  startup.throwIfAborted();
  const places = config.seedDemo ? await app.get(DemoSeeder, { strict: false }).seed() : undefined;
  startup.throwIfAborted();
  await app.init();
  startup.throwIfAborted();
  server.serve(app.getHttpAdapter().getInstance());
  isServing = true;
  process.stdout.write(greeting(config, places));
}

/** The SDK is loaded only if the environment turns traces on: it takes time and memory. */
async function startTracing(instanceId: string, startup: StartupSequence): Promise<void> {
  if (!isTracingOn(process.env)) return;
  exportSdkSecrets(process.env);
  const { startOpenTelemetry } = await import('./opentelemetry.js');
  startup.onRollback(startOpenTelemetry(instanceId));
}

/** Starts the embedded PostgreSQL in DATA_DIR unless DATABASE_URL is set, and migrates or checks the database. */
async function prepareConfiguredDatabase(config: Config, startup: StartupSequence): Promise<Config> {
  let url = config.databaseUrl;
  if (!url) {
    const dataDir = resolve(config.dataDir);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = await lockDataDir(dataDir);
    startup.onRollback(() => lock.release());
    startup.throwIfAborted();
    const embedded = await startEmbeddedPostgres(dataDir, 'video_queue');
    startup.onRollback(() => embedded.stop());
    url = embedded.url;
  }
  startup.throwIfAborted();
  const role = config.requestedRole;
  const progress = { log: (line: string) => void process.stdout.write(`${line}\n`), signal: startup.signal };
  const databaseRole = config.migrateOnStart
    ? await prepareDatabase(url, { role, progress })
    : await requireSchema(url, { role });
  return { ...config, databaseUrl: url, databaseRole };
}

/** How long the sockets of a busy instance are disconnected, so that their clients do not all reconnect at once. */
const MAX_DISCONNECT_MS = 10_000;

/**
 * Shuts down in this order: reject joins, disconnect sockets so that they reconnect elsewhere, wait for open requests while
 * the service still answers, close everything.
 */
async function shutDown(
  app: NestExpressApplication,
  drain: RequestDrain,
  server: ServiceServer,
): Promise<void> {
  app.get(Lifecycle, { strict: false }).beginShutdown();
  await app.get(LiveSockets, { strict: false }).disconnectAll(MAX_DISCONNECT_MS);
  await drain.waitUntilIdle();
  server.close();
  await app.close();
}
