import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index';
import { buildIndex } from '../../migrations/build-index';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import { checkSchema } from '../../src/operator/migration/schema-state';
import { migrationDataSource } from '../../src/operator/migration/run-migrations';
import type { MigrationClass } from '../../src/operator/migration/schema-state';
import { asSuperuser } from '../support/database/database';
import { migratedDatabase } from '../support/database/migrated-database';
import { SERVICE_ROLE } from '../support/database/service-role';
import { until } from '../support/until';

const database = migratedDatabase();
const { query } = database;

const migrate = (probe: MigrationClass, log: (line: string) => void = () => {}, url = database.url) =>
  prepareDatabase(url, {
    role: SERVICE_ROLE,
    migrations: [...MIGRATIONS, probe],
    progress: { log },
  });

class ProbeColumn1780000009998 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD COLUMN probe integer');
  }
  async down(): Promise<void> {}
}

class ProbeIndex1780000009998 {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, { name: 'calls_probe_idx', on: 'calls (tenant_id, ended_at)' });
  }
  async down(): Promise<void> {}
}

/** A statement on the table that is migrated. */
interface Read {
  end: number;
  milliseconds: number;
}

it('a lock that is not available is given up, so that requests are served between the attempts', async () => {
  const attempts: { at: number; line: string }[] = [];
  const reads: Read[] = [];
  const stop = new AbortController();
  await asSuperuser(database.url, async (holder) => {
    await holder.query('BEGIN; LOCK TABLE calls IN ROW SHARE MODE');
    const migrating = migrate(ProbeColumn1780000009998, (line) => {
      if (line.startsWith('A lock is held')) attempts.push({ at: performance.now(), line });
    });
    const traffic = asSuperuser(database.url, async (client) => {
      while (!stop.signal.aborted) {
        const start = performance.now();
        await client.query('SELECT FROM calls LIMIT 1');
        const end = performance.now();
        reads.push({ end, milliseconds: end - start });
      }
    });
    await until(
      () => attempts.length === 2,
      () => 'the migration was not tried again',
    );
    await holder.query('COMMIT');
    await migrating;
    stop.abort();
    await traffic;
  });
  const [first, second] = attempts;
  expect(first?.line).toMatch(
    /trying again in 1 s\. The oldest transactions are: process .*idle in transaction/,
  );
  const between = reads.filter(({ end }) => end > (first?.at ?? 0) && end < (second?.at ?? 0));
  expect(between.length).toBeGreaterThan(5);
  const longestMs = Math.max(...reads.map(({ milliseconds }) => milliseconds));
  // A statement waits behind an attempt for as long as that waits for its lock, on a busy machine somewhat longer.
  expect(longestMs).toBeGreaterThan(2000);
  expect(longestMs).toBeLessThan(9500);
  expect(
    await query(`SELECT FROM pg_attribute WHERE attrelid = 'calls'::regclass AND attname = 'probe'`),
  ).toHaveLength(1);
});

/** @returns the process that builds an index and waits for older transactions */
const waitForBuilder = () =>
  until(
    async () => {
      const [builder] = await query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE 'CREATE INDEX CONCURRENTLY%'`,
      );
      return builder?.pid;
    },
    () => 'the index was not built',
  );

describe('an index that is built concurrently', () => {
  it('is built again by the next run after an interruption, while another run waits for its turn', async () => {
    await asSuperuser(database.url, async (holder) => {
      await holder.query('BEGIN; LOCK TABLE calls IN ROW EXCLUSIVE MODE');
      const interrupted = migrate(ProbeIndex1780000009998);
      interrupted.catch(() => {});
      await query('SELECT pg_terminate_backend($1)', [await waitForBuilder()]);
      await expect(interrupted).rejects.toThrow();
      const { invalid_indexes } = await checkSchema(database.url, { role: SERVICE_ROLE });
      expect(invalid_indexes).toEqual(['public.calls_probe_idx']);
      await holder.query('COMMIT');

      // The snapshot of an older transaction keeps the build waiting while the other run arrives.
      await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
      const lines: string[] = [];
      const runs = [migrate(ProbeIndex1780000009998)];
      await waitForBuilder();
      runs.push(migrate(ProbeIndex1780000009998, (line) => void lines.push(line)));
      await until(
        () => lines.includes('Waiting for another process that migrates the database.'),
        () => 'the other run did not wait',
      );
      await holder.query('COMMIT');
      await Promise.all(runs);
    });
    expect(await checkSchema(database.url, { role: SERVICE_ROLE })).toMatchObject({ invalid_indexes: [] });
    expect(
      await query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'calls_probe_idx'::regclass`),
    ).toEqual([{ indisvalid: true }]);
  });

  describe('by a login with limits of time', () => {
    const LOGIN = 'limited_migrator';
    const LIMIT_MS = 200;

    beforeEach(() =>
      query(`CREATE ROLE ${LOGIN} SUPERUSER LOGIN PASSWORD '${LOGIN}';
        ALTER ROLE ${LOGIN} SET statement_timeout = ${LIMIT_MS};
        ALTER ROLE ${LOGIN} SET lock_timeout = ${LIMIT_MS};
        ALTER ROLE ${LOGIN} SET idle_in_transaction_session_timeout = ${LIMIT_MS}`),
    );

    afterEach(() => query(`DROP OWNED BY ${LOGIN}; DROP ROLE ${LOGIN}`));

    it('takes longer than these', async () => {
      const url = new URL(database.url);
      [url.username, url.password] = [LOGIN, LOGIN];
      await asSuperuser(database.url, async (holder) => {
        await holder.query('BEGIN; LOCK TABLE calls IN ROW EXCLUSIVE MODE');
        const migrating = migrate(ProbeIndex1780000009998, undefined, url.toString());
        const builder = await waitForBuilder();
        // What is to be proved: the build would have been ended by now.
        await until(
          async () =>
            (
              await query(
                `SELECT FROM pg_stat_activity WHERE pid = $1 AND usename = $2
                   AND clock_timestamp() - query_start > interval '${5 * LIMIT_MS} ms'`,
                [builder, LOGIN],
              )
            ).length > 0,
          () => 'the build did not go on waiting',
        );
        await holder.query('COMMIT');
        await migrating;
      });
      expect(
        await query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'calls_probe_idx'::regclass`),
      ).toEqual([{ indisvalid: true }]);
    });
  });

  it('leaves nothing behind that rejects rows when it is unique and the rows are not', async () => {
    await query(`INSERT INTO tenants (name, slug) VALUES ('One', 'one'), ('Two', 'two')`);
    const source = await migrationDataSource(database.url).initialize();
    const runner = source.createQueryRunner();
    const definition = { name: 'tenants_probe_key', isUnique: true, on: 'tenants ((length(slug)))' };
    await expect(buildIndex(runner, definition)).rejects.toThrow('could not create unique index');
    expect(await query(`SELECT to_regclass('tenants_probe_key') AS index`)).toEqual([{ index: null }]);
    expect(await runner.query('SHOW lock_timeout')).toEqual([{ lock_timeout: '3s' }]);
    await runner.release();
    await source.destroy();
  });
});
