// Starts a PostgreSQL for a benchmark in a temporary folder, which is deleted afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { startEmbeddedPostgres } = require('../../dist/src/platform/database/embedded/embedded-postgres.js');
const { prepareDatabase } = require('../../dist/src/operator/migration/prepare-database.js');

/** PostgreSQL runs in a session of its own, so a benchmark that is ended by a signal stops it as well. */
export async function benchDatabase() {
  const dataDir = mkdtempSync(join(tmpdir(), 'video-queue-bench-'));
  const postgres = await startEmbeddedPostgres(dataDir, 'bench', {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    shared_buffers: '512MB',
  });
  const stop = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      // Clients whose connection the server ends emit errors.
      process.on('uncaughtException', () => {});
      void stop().finally(() => process.exit(1));
    });
  }
  return { url: postgres.url, role: await prepareDatabase(postgres.url), stop };
}
