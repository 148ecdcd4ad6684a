import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './create-app';
import { Demo } from './demo/demo';
import { Drain } from './drain';
import { greeting } from './greeting';
import { LiveSockets } from './live/live-sockets';
import { type Config, loadConfig } from './platform/config/config';
import { lockDataDir } from './platform/database/embedded/data-dir-lock';
import { startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres';
import { prepareDatabase } from './platform/database/prepare-database';
import { Lifecycle } from './platform/health/lifecycle';
import { stopOnSignals } from './shutdown';
import { explainFailure } from './start-failure';

/** What a start has done so far, each step with what undoes it, and whether a signal has come meanwhile. */
class Undertaking {
  private readonly undo: (() => Promise<void>)[] = [];
  isCalledOff = false;

  /** Remembers how to take back what has just been done. */
  done(undo: () => Promise<void>): void {
    this.undo.push(undo);
  }

  /** Ends a start that is not wanted any more, between two of its steps. */
  goOn(): void {
    if (this.isCalledOff) throw new CalledOff();
  }

  /** Takes everything back, the last step first; one that fails keeps none of the others from its turn. */
  async takeBack(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.undo.toReversed()) await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
  }
}

class CalledOff extends Error {}

/** Starts the service and runs it until a signal stops it. A start that fails says why and exits with 1. */
export async function runService(): Promise<void> {
  const work = new Undertaking();
  const starting = start(work);
  stopOnSignals(async () => {
    work.isCalledOff = true;
    // What has only half begun could not be taken back.
    await starting.catch(() => undefined);
    await work.takeBack();
  });
  try {
    await starting;
  } catch (error) {
    if (work.isCalledOff) return;
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exitCode = 1;
    await work.takeBack().catch((failure: unknown) => process.stderr.write(`${explainFailure(failure)}\n`));
    process.exit();
  }
}

async function start(work: Undertaking): Promise<void> {
  const config = await provideDatabase(loadConfig(process.env), work);
  const app = await createApp(config);
  const drain = new Drain();
  drain.watch(app.getHttpServer());
  work.done(() => shutDown(app, drain));
  work.goOn();
  const places = config.seedDemo ? await app.get(Demo, { strict: false }).seed() : undefined;
  work.goOn();
  await app.listen(config.port, config.host);
  process.stdout.write(greeting(config, places));
}

/** With no DATABASE_URL the embedded PostgreSQL in DATA_DIR is started first. Either is brought up to date. */
async function provideDatabase(config: Config, work: Undertaking): Promise<Config> {
  let url = config.databaseUrl;
  if (!url) {
    const dataDir = resolve(config.dataDir);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = await lockDataDir(dataDir);
    work.done(() => lock.release());
    work.goOn();
    const embedded = await startEmbeddedPostgres({ dataDir, database: 'video_queue' });
    work.done(() => embedded.stop());
    url = embedded.url;
  }
  work.goOn();
  return { ...config, databaseUrl: url, databaseRole: await prepareDatabase(url) };
}

/**
 * In this order: not ready and no new joins, sockets sent to reconnect, requests drained while the service
 * still answers, then everything closed.
 */
async function shutDown(app: NestExpressApplication, drain: Drain): Promise<void> {
  app.get(Lifecycle, { strict: false }).beginShutdown();
  await app.get(LiveSockets, { strict: false }).sendAway();
  await drain.finished();
  await app.close();
}
