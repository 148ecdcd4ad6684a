import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './create-app';
import { Demo } from './demo/demo';
import { type Config, loadConfig } from './platform/config/config';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres';
import { lockDataDir } from './platform/database/embedded/data-dir-lock';
import { prepareDatabase } from './platform/database/prepare-database';
import { Lifecycle } from './platform/health/lifecycle';
import { stopOnSignals } from './shutdown';
import { greeting } from './greeting';

/** Starts the service and runs it until a signal stops it. A start that fails says why and exits with 1. */
export async function runService(): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    for (const step of undo.toReversed()) await step();
  };
  stopOnSignals(stop);
  try {
    const config = await provideDatabase(loadConfig(process.env), undo);
    const app = await createApp(config);
    undo.push(() => shutDown(app));
    if (stopping) return;
    const places = config.seedDemo ? await app.get(Demo, { strict: false }).seed() : undefined;
    await app.listen(config.port, config.host);
    process.stdout.write(greeting(config, places));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
    await stop();
    process.exit();
  }
}

/** With no DATABASE_URL the embedded PostgreSQL in DATA_DIR is started first. Either is brought up to date. */
async function provideDatabase(config: Config, undo: (() => Promise<void>)[]): Promise<Config> {
  let url = config.databaseUrl;
  if (!url) {
    const dataDir = resolve(config.dataDir);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = await lockDataDir(dataDir);
    undo.push(() => lock.release());
    const embedded: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, database: 'video_queue' });
    undo.push(() => embedded.stop());
    url = embedded.url;
  }
  return { ...config, databaseUrl: url, databaseRole: await prepareDatabase(url) };
}

/** In this order: not ready and no new joins, sockets sent to reconnect, requests drained, pools closed. */
async function shutDown(app: NestExpressApplication): Promise<void> {
  app.get(Lifecycle, { strict: false }).beginShutdown();
  await app.close();
}

function explain(error: unknown): string {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program, perhaps another start of this service. Stop it, or set PORT.`;
  }
  if (code === 'EACCES' && port)
    return `Port ${port} may not be used by this user. Set PORT to 1024 or above.`;
  if (code === 'ECONNREFUSED') return `The database does not answer: ${message}. Check DATABASE_URL.`;
  return error instanceof Error && error.name !== 'Error' && error.name !== 'ConfigError'
    ? (error.stack ?? message)
    : `Start failed: ${message}`;
}
