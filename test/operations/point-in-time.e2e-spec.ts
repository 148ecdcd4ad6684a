import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InstallationPause } from '../../src/platform/database/installation/installation-pause';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import { OutboundGate } from '../../src/platform/database/installation/outbound-gate';
import { TestTenant } from '../support/builders';
import { asSuperuser } from '../support/database/database';
import { DebianPostgres, describeWithDebianPostgres } from '../support/database/debian-postgres';
import { SERVICE_ROLE } from '../support/database/service-role';
import { documentedScript } from '../support/documented-script';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Of an operator whose backups are in this folder. */
const FOLDER = '/var/backups';
const ARCHIVING = documentedScript('backups.md', 'Point-in-time recovery', 0, 'ini');
const BASE_BACKUP = documentedScript('backups.md', 'Point-in-time recovery', 0);
const RECOVERY = documentedScript('backups.md', 'Point-in-time recovery', 1);

describeWithDebianPostgres('point-in-time recovery by the documented commands', () => {
  let postgres: DebianPostgres;
  let test: TestApp;

  const query = (sql: string, values?: unknown[]) =>
    asSuperuser(postgres.url('postgres'), async (client) => (await client.query(sql, values)).rows);
  const script = async (text: string, variables: Record<string, string> = {}) => {
    const connection = { PGUSER: 'postgres', PGDATA: postgres.cluster, BACKUPS: postgres.folder };
    expect(await postgres.script(text, { ...connection, ...variables })).toMatchObject({
      code: 0,
      stderr: '',
    });
  };
  const isPaused = () => test.get(OutboundGate).isPaused;
  const start = async () => {
    test = await startTestApp({ databaseUrl: postgres.url('postgres') });
  };

  beforeAll(async () => {
    postgres = await DebianPostgres.start();
    await postgres.stop();
    const settings = ARCHIVING.replaceAll(FOLDER, postgres.folder);
    await script(`mkdir wal; cat >> "$PGDATA/postgresql.conf" <<'END'\n${settings}END`);
    await postgres.launch();
    await prepareDatabase(postgres.url('postgres'), { role: SERVICE_ROLE });
    await start();
  });

  afterAll(async () => {
    await test.close();
    await postgres.remove();
  });

  it('has what was committed before the moment and nothing of later, and is paused', async () => {
    await script(BASE_BACKUP);
    const before = await TestTenant.register(test, 'free');
    const [{ moment }] = await query('SELECT clock_timestamp()::text AS moment');
    await TestTenant.register(test, 'free');
    const [{ file }] = await query('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await until(
      async () => (await query('SELECT FROM pg_stat_archiver WHERE last_archived_wal >= $1', [file])).length,
    );
    expect(isPaused()).toBe(false);
    await test.close();
    await postgres.stop();
    rmSync(postgres.cluster, { recursive: true });

    await script(RECOVERY, { TARGET_TIME: moment });
    await postgres.launch();
    expect(await query('SELECT id FROM tenants')).toEqual([{ id: before.id }]);
    await start();
    expect(isPaused()).toBe(true);
    expect(await query('SELECT timeline, pause_reason FROM installation')).toEqual([
      { timeline: 2, pause_reason: 'restored' },
    ]);
  });

  it('a failover under a running instance does not pause it', async () => {
    await test.get(InstallationPause).resume();
    await until(() => !isPaused());
    await postgres.stop();
    // Like a standby that is promoted, the server goes on with all of its data on a timeline of its own.
    writeFileSync(join(postgres.cluster, 'recovery.signal'), '');
    await postgres.launch({ restore_command: 'false', recovery_target_time: '' });
    await until(async () => (await query('SELECT FROM installation WHERE timeline = 3')).length === 1);
    expect(await query('SELECT paused_at FROM installation')).toEqual([{ paused_at: null }]);
    expect(isPaused()).toBe(false);
    await test.close();
    await start();
    expect(isPaused()).toBe(false);
  });
});
