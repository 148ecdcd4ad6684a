import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index';
import { migrationDataSource } from '../../src/operator/migration/run-migrations';
import type { MigrationClass } from '../../src/operator/migration/schema-state';
import { asSuperuser, databaseUrl } from '../support/database/database';
import { REPOSITORY } from '../support/service/built-service';

/** The rows that a fixture adds to a database whose newest migration has this number. */
const FIXTURES = ['0006', '0061'].map((number) => ({
  migrations: MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name.endsWith(number)) + 1),
  rows: readFileSync(join(REPOSITORY, 'test', 'fixtures', `rows-${number}.sql`), 'utf8'),
}));

/** Tables that have no rows in the fixtures, with the reason. */
const EMPTY: Record<string, string> = {
  receipt_keys: '0078 makes the table again, since no release had written to it',
};

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

const emptyTables = () =>
  asSuperuser(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', relname), false, true, '')))[1]::text = '0'
       ORDER BY name`,
    );
    return rows.map(({ name }) => name);
  });

/** Runs the migrations up to the last fixture, which then has rows in all tables. @returns what was rewritten meanwhile */
async function migrateWithRows(): Promise<string[]> {
  const rewritten: string[] = [];
  for (const { migrations, rows } of FIXTURES) {
    await run(migrations.map((migration) => watched(migration, rewritten)));
    await asSuperuser(url, (client) => client.query(rows));
    const existing = await asSuperuser(url, async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      );
      return tables.map(({ name }) => name);
    });
    expect(await emptyTables()).toEqual(existing.filter((name) => name in EMPTY));
  }
  return rewritten;
}

/** Rewrites a table of an early version and one of a late version. */
class ProbeRewrite1780000009996 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls ADD probe text GENERATED ALWAYS AS (upper(customer_name)) STORED;
      ALTER TABLE call_quality ALTER samples TYPE integer;
    `);
  }
  async down(): Promise<void> {}
}

it('no migration rewrites a table that exists, with rows in every table, and one that did would be noticed', async () => {
  const rewritten = await migrateWithRows();
  await run(MIGRATIONS.map((migration) => watched(migration, rewritten)));
  expect(rewritten).toEqual([]);

  await run([...MIGRATIONS, watched(ProbeRewrite1780000009996, rewritten)]);
  expect(rewritten.toSorted()).toEqual([
    'ProbeRewrite1780000009996: call_quality',
    'ProbeRewrite1780000009996: calls',
  ]);
});
