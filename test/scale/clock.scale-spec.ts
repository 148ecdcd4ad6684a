import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { TestTenant } from '../support/builders';
import { cloneDatabase } from '../support/database/database';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { TestSocket } from '../support/sockets/socket';
import { until } from '../support/until';

/**
 * Of Debian's package faketime. On a busy machine the library sometimes does not show the step to the service, so this spec
 * has a command of its own, `npm run test:clock`.
 */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
/** More than the deadlines below, less than a login is valid for. */
const STEP_SECONDS = 300;

const isInstalled = existsSync(LIBRARY);
if (!isInstalled && process.env.CI !== 'true') {
  process.stderr.write('NOTICE: skipped the spec of the clock: install the package faketime.\n');
}

(isInstalled || process.env.CI === 'true' ? describe : describe.skip)('an instance whose clock', () => {
  const folder = mkdtempSync(join(tmpdir(), 'video-queue-clock-'));
  const timeFile = join(folder, 'offset');
  const setClock = (seconds: number) => {
    // At once, because the service reads it at any moment.
    writeFileSync(`${timeFile}.new`, `+${seconds}`);
    renameSync(`${timeFile}.new`, timeFile);
  };
  const secrets = new DataDir();
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let db: Client;
  let service: ServiceProcess;

  beforeAll(async () => {
    await ensureBuilt();
    database = await cloneDatabase();
    db = new Client({ connectionString: database.url });
    await db.connect();
    setClock(0);
    service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: secrets.path,
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: timeFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
  });

  afterAll(async () => {
    await stopServices();
    await db?.end();
    await database?.drop();
    secrets.remove();
    rmSync(folder, { recursive: true });
  });

  it('is set forward, and back, ends no call', async () => {
    const tenant = await TestTenant.register({ api: service.api, url: service.url, db });
    const { department, link } = await tenant.queue({ max_wait_time: 200 });
    const agent = await tenant.member('attendant', [department.id]);
    const [waiting, ringing] = [await tenant.join(link), await tenant.join(link)];
    const socket = await TestSocket.connect(service.url, waiting.websocket_token);
    const staff = await TestSocket.connect(service.url, agent.token);
    expect((await agent.api.post(`/api/v1/calls/${ringing.call_id}/assign`)).status).toBe(200);

    setClock(STEP_SECONDS);
    await until(
      () => /The clock was set forward by \d+ s/.test(service.output),
      () => `the step is not in the log: ${service.output}`,
      20_000,
    );
    // Deadlines of the new time are met, so sweeps have gone over those that were skipped.
    const { call_id } = await tenant.join(link);
    await db.query(`UPDATE calls SET wait_deadline = now() + make_interval(secs => $2) WHERE id = $1`, [
      call_id,
      STEP_SECONDS,
    ]);
    await until(
      async () => (await statusOf(call_id)) === 'abandoned',
      () => `no deadline of the new time is met: ${service.output}`,
      20_000,
    );
    expect([await statusOf(waiting.call_id), await statusOf(ringing.call_id)]).toEqual([
      'queued',
      'assigned',
    ]);
    expect([socket.io.connected, staff.io.connected]).toEqual([true, true]);

    setClock(0);
    const again = await tenant.join(link);
    expect(await statusOf(again.call_id)).toBe('queued');
    expect([await statusOf(waiting.call_id), await statusOf(ringing.call_id)]).toEqual([
      'queued',
      'assigned',
    ]);
    for (const each of [socket, staff]) each.close();
  });

  async function statusOf(id: string): Promise<string> {
    return (await db.query('SELECT status FROM calls WHERE id = $1', [id])).rows[0].status;
  }
});
