import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index';
import { migrationDataSource } from '../../src/platform/database/migration/run-migrations';
import type { MigrationClass } from '../../src/platform/database/migration/schema-state';
import { asSuperuser, databaseUrl } from '../support/database/database';
import { REPOSITORY } from '../support/service/built-service';

jest.setTimeout(60_000);

/** The migrations of an early version, which test/fixtures/early-rows.sql has rows for. */
const EARLY_COUNT = 6;
const EARLY_ROWS = readFileSync(join(REPOSITORY, 'test', 'fixtures', 'early-rows.sql'), 'utf8');

let url: string;

beforeEach(async () => {
  const name = `rewrites_${randomBytes(6).toString('hex')}`;
  url = databaseUrl(name);
  await asSuperuser(databaseUrl('postgres'), (client) => client.query(`CREATE DATABASE ${name}`));
});

afterEach(() =>
  asSuperuser(databaseUrl('postgres'), (client) =>
    client.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`),
  ),
);

async function run(migrations: MigrationClass[]): Promise<void> {
  const source = await migrationDataSource(url, migrations).initialize();
  try {
    await source.runMigrations({ transaction: 'each' });
  } finally {
    await source.destroy();
  }
}

/** The files of tables that are not empty, by name. Views and indexes may be built again. */
async function filesOfTables(runner: QueryRunner): Promise<Map<string, string>> {
  const rows: { name: string; file: string }[] = await runner.query(
    `SELECT c.oid::regclass::text AS name, format('%s %s', c.oid, c.relfilenode) AS file FROM pg_class c
     WHERE c.relkind = 'r' AND pg_relation_size(c.oid) > 0 AND c.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$')`,
  );
  return new Map(rows.map(({ name, file }) => [name, file]));
}

/** The same migration, which adds to `rewritten` the tables that existed before and have another file afterwards. */
function watched(Migration: MigrationClass, rewritten: string[]): MigrationClass {
  const Watched = class extends Migration {
    override async up(runner: QueryRunner): Promise<void> {
      const before = await filesOfTables(runner);
      await super.up(runner);
      const after = await filesOfTables(runner);
      for (const [name, file] of before) {
        if (after.has(name) && after.get(name) !== file) rewritten.push(`${Migration.name}: ${name}`);
      }
    }
  };
  // TypeORM stores the name.
  Object.defineProperty(Watched, 'name', { value: Migration.name });
  return Watched;
}

it('no migration rewrites a table that exists, from an early version with rows in every table to the newest', async () => {
  await run(MIGRATIONS.slice(0, EARLY_COUNT));
  await asSuperuser(url, (client) => client.query(EARLY_ROWS));
  const empty = await asSuperuser(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', relname), false, true, '')))[1]::text = '0'`,
    );
    return rows.map(({ name }) => name);
  });
  expect(empty).toEqual([]);

  const rewritten: string[] = [];
  await run(MIGRATIONS.map((migration) => watched(migration, rewritten)));
  expect(rewritten).toEqual([]);
});

class ProbeRewrite1780000009996 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD probe text GENERATED ALWAYS AS (upper(customer_name)) STORED');
  }
  async down(): Promise<void> {}
}

it('notices a migration that does', async () => {
  const rewritten: string[] = [];
  await run(MIGRATIONS.slice(0, EARLY_COUNT));
  await asSuperuser(url, (client) => client.query(EARLY_ROWS));
  await run([...MIGRATIONS.slice(0, EARLY_COUNT), watched(ProbeRewrite1780000009996, rewritten)]);
  expect(rewritten).toEqual(['ProbeRewrite1780000009996: calls']);
});
