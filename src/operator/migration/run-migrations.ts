import type { Client } from 'pg';
import { AbstractLogger, DataSource } from 'typeorm';
import { MIGRATIONS } from '../../../migrations';
import type { MigrationProgress } from './migration-session';
import { migrationSettings } from './migration-session';
import { retryWhileLocked } from './migration-session';
import { formatMigration, type MigrationClass, readMissingMigrations } from './schema-state';

/** TypeORM prints failed attempts to standard output, which belongs to the result of the command. Errors are thrown, too. */
class SilentLogger extends AbstractLogger {
  protected override writeLog(): void {}
}

/** More migrations than this are one line: a new database has all of them. */
const MAX_LISTED = 10;

/** A data source for migrations, which connects as the tables' owner instead of the application role. */
export function migrationDataSource(url: string, migrations: MigrationClass[] = MIGRATIONS): DataSource {
  const settings = migrationSettings(url);
  return new DataSource({
    type: 'postgres',
    url: settings.url,
    applicationName: 'video-call-queue migration',
    installExtensions: false,
    poolSize: 2,
    extra: { options: settings.options },
    logger: new SilentLogger(),
    migrations,
  });
}

/**
 * Runs the migrations that the database does not have, each in a transaction. Those that need a lock that is not available
 * within 3 s are tried again; the ones before them stay.
 * @param beforeOwnTransactions called before the first migration that has no transaction around it: such a one may build
 *   an index concurrently
 */
export async function runMigrations(
  url: string,
  client: Client,
  progress: MigrationProgress,
  migrations: MigrationClass[],
  beforeOwnTransactions: () => Promise<void>,
): Promise<void> {
  const missing = new Set(await readMissingMigrations(client, migrations));
  const firstAlone = migrations.findIndex(
    (migration) => missing.has(migration.name) && new migration().transaction === false,
  );
  if (firstAlone >= 0) {
    await run(url, client, progress, migrations.slice(0, firstAlone));
    await beforeOwnTransactions();
  }
  await run(url, client, progress, migrations);
}

async function run(
  url: string,
  client: Client,
  progress: MigrationProgress,
  migrations: MigrationClass[],
): Promise<void> {
  const source = await migrationDataSource(url, migrations).initialize();
  const before = await readMissingMigrations(client, migrations);
  try {
    await retryWhileLocked(client, progress, () => source.runMigrations({ transaction: 'each' }));
  } finally {
    await source.destroy();
    const after = new Set(await readMissingMigrations(client, migrations));
    reportDone(
      before.filter((name) => !after.has(name)),
      progress,
    );
  }
}

function reportDone(names: string[], { log }: MigrationProgress): void {
  const titles = names.map(formatMigration);
  if (titles.length > MAX_LISTED)
    log(`Migrated ${titles[0]} to ${titles.at(-1)} (${titles.length} migrations).`);
  else for (const title of titles) log(`Migrated ${title}.`);
}
