import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import { UNSAFE_BUT_FAST } from './database/debian-postgres';
import { SERVICE_ROLE } from './database/service-role';
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder';

declare global {
  var testPostgres: EmbeddedPostgres | undefined;
  var testFolder: TemporaryFolder | undefined;
}

/** Starts one PostgreSQL server for all specs and prepares the template database that each spec clones. */
export default async function globalSetup(): Promise<void> {
  buildPages();
  const folder = await makeTemporaryFolder();
  globalThis.testFolder = folder;
  // Temporary files of the specs belong in this folder, too.
  process.env.TMPDIR = folder.path;
  process.env.TEST_DATA_DIR = folder.dataDir;
  const postgres = await startEmbeddedPostgres(folder.dataDir, 'template_service', {
    ...UNSAFE_BUT_FAST,
    max_connections: '200',
    // A connection of a service plans a statement for its values five times, and then once for all values. Those of tests end
    // before, and would spend a quarter of PostgreSQL's time on planning.
    plan_cache_mode: 'force_generic_plan',
  });
  globalThis.testPostgres = postgres;
  process.env.TEST_DATABASE_URL = postgres.url;
  await prepareDatabase(postgres.url, { role: SERVICE_ROLE });
}

/** The service reads the pages from dist. */
function buildPages(): void {
  const root = join(__dirname, '../..');
  const script = join(root, 'scripts/build-web.mjs');
  const { status } = spawnSync(process.execPath, [script, '--if-needed'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The pages could not be built');
}
