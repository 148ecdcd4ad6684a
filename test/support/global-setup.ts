import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres';
import { prepareDatabase } from '../../src/platform/database/prepare-database';

declare global {
  var testPostgres: EmbeddedPostgres | undefined;
}

/** One real PostgreSQL for all specs, with a prepared template that each of them clones. */
export default async function globalSetup(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'video-queue-test-'));
  const postgres = await startEmbeddedPostgres({
    dataDir,
    database: 'template_service',
    durable: false,
    settings: { max_connections: '200' },
  });
  globalThis.testPostgres = postgres;
  process.env.TEST_DATA_DIR = dataDir;
  process.env.TEST_DATABASE_URL = postgres.url;
  await prepareDatabase(postgres.url);
}
