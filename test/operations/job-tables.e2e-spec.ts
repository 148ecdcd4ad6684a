import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { PgBoss, getRollbackPlans } from 'pg-boss';
import { Database } from '../../src/platform/database/database';
import { JOB_SCHEMA_VERSION } from '../../src/platform/jobs/create-pg-boss';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import { checkSchema, requireSchema } from '../../src/operator/migration/schema-state';
import { Jobs } from '../../src/platform/jobs/jobs';
import { migratedDatabase } from '../support/database/migrated-database';
import { SERVICE_ROLE } from '../support/database/service-role';
import { startTestApp } from '../support/test-app';
import { until } from '../support/until';

const role = SERVICE_ROLE;
const database = migratedDatabase();
const { query } = database;

const FORMER_VERSION = JOB_SCHEMA_VERSION - 1;
const revert = () => query(getRollbackPlans('pgboss', JOB_SCHEMA_VERSION));

@Injectable()
class ProbeJobs implements OnModuleInit {
  runCount = 0;

  constructor(private readonly jobs: Jobs) {}

  onModuleInit(): void {
    this.jobs.handle('probe', async () => void this.runCount++);
  }
}

@Module({ providers: [ProbeJobs] })
class ProbeModule {}

describe('job tables of the former version', () => {
  beforeEach(revert);

  it('refuse a start', async () => {
    const message = `the job queue has version ${FORMER_VERSION} instead of ${JOB_SCHEMA_VERSION}`;
    await expect(requireSchema(database.url, { role })).rejects.toThrow(message);
    // Also where nothing has checked them before.
    await expect(startTestApp({ databaseUrl: database.url })).rejects.toThrow(
      message.replace('the job queue', 'The job queue'),
    );
  });

  it('are brought to this one with all of their indexes, which no instance builds', async () => {
    await query(`UPDATE pgboss.version SET bam_on = NULL`);
    const lines: string[] = [];
    await prepareDatabase(database.url, { role, progress: { log: (line) => void lines.push(line) } });
    expect(lines).toContainEqual(
      `The job queue has version ${JOB_SCHEMA_VERSION} (before: ${FORMER_VERSION}).`,
    );
    expect(lines).toContainEqual(expect.stringMatching(/^Built an index of the job queue/));
    expect(await query('SELECT DISTINCT status FROM pgboss.bam')).toEqual([{ status: 'completed' }]);
    expect(await checkSchema(database.url, { role })).toMatchObject({
      pending_builds: 0,
      invalid_indexes: [],
    });
    const boss = new PgBoss({ connectionString: database.url, migrate: false });
    boss.on('error', () => {});
    await boss.start();
    expect((await boss.detectSchemaDrift()).ok).toBe(true);
    await boss.stop({ graceful: false });
  });
});

it('job tables of a newer version serve this one, which leaves its unfinished indexes alone', async () => {
  const bam = 'SELECT name, status, started_on FROM pgboss.bam';
  await query(
    `WITH newer AS (UPDATE pgboss.version SET version = ${JOB_SCHEMA_VERSION + 1}, bam_on = '2026-01-01')
     INSERT INTO pgboss.bam (name, version, table_name, command)
     VALUES ('newer', ${JOB_SCHEMA_VERSION + 1}, 'job_common', 'CREATE INDEX CONCURRENTLY newer ON pgboss.job_common (id)')`,
  );
  expect(await requireSchema(database.url, { role })).toBe(role);
  const test = await startTestApp({ databaseUrl: database.url, imports: [ProbeModule] });
  await test.get(Database).system((tx) => test.get(Jobs).enqueue(tx, 'probe', {}));
  await until(
    () => test.get(ProbeJobs).runCount === 1,
    () => 'the job has not run',
  );
  // After so long a time pg-boss looks for builds at its start. It notes the time before it takes one.
  await until(
    async () => (await query(`SELECT FROM pgboss.version WHERE bam_on > '2026-01-01'`)).length === 1,
    () => 'pg-boss has not looked for builds',
  );
  await test.close();
  expect(await query(bam)).toEqual([{ name: 'newer', status: 'pending', started_on: null }]);
});

it('an index of the job tables is built at once after the process that built it was killed', async () => {
  await query(
    `WITH version AS (UPDATE pgboss.version SET bam_on = NULL)
     INSERT INTO pgboss.bam (name, version, table_name, status, started_on, command)
     VALUES ('killed', ${JOB_SCHEMA_VERSION}, 'job_common', 'in_progress', now(),
       'CREATE INDEX CONCURRENTLY IF NOT EXISTS killed ON pgboss.job_common (id)')`,
  );
  expect((await checkSchema(database.url, { role })).pending_builds).toBe(1);
  await prepareDatabase(database.url, { role });
  expect((await checkSchema(database.url, { role })).pending_builds).toBe(0);
  expect(await query(`SELECT to_regclass('pgboss.killed') IS NOT NULL AS is_built`)).toEqual([
    { is_built: true },
  ]);
});
