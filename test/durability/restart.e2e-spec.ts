import { ensureBuilt } from '../support/service/built-service';
import { asSuperuser } from '../support/database/database';
import { DataDir, isAlive } from '../support/service/data-dir';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { until } from '../support/until';

let dataDir: DataDir;

beforeAll(ensureBuilt, 120_000);

beforeEach(() => {
  dataDir = new DataDir();
});

afterEach(async () => {
  await stopServices();
  dataDir.remove();
});

type Shutdown = (service: ServiceProcess) => Promise<unknown>;

describe('a service', () => {
  it.each<[string, Shutdown]>([
    ['stopped gracefully', (service) => service.stop()],
    ['killed while its database keeps running', killAlone],
    ['killed while its database ends with it', (service) => service.kill()],
    [
      'killed together with its database',
      (service) => {
        dataDir.killDatabase();
        return service.kill();
      },
    ],
  ])('%s keeps every row after the next start and does not seed the demo again', async (_how, shutDown) => {
    const first = await ServiceProcess.start({ DATA_DIR: dataDir.path });
    const manager = await login(first);
    for (const name of ['Sales', 'Repairs']) {
      const made = await manager.post('/api/v1/departments', { department: { name } });
      expect(made.status).toBe(201);
    }
    const entry = await join(first);
    const before = await rowCounts();
    expect(before).toMatchObject({ departments: 5, tenants: 1, users: 4 });
    const postmaster = dataDir.postmaster ?? 0;

    expect(isAlive(postmaster)).toBe(true);
    await shutDown(first);
    const second = await ServiceProcess.start({ DATA_DIR: dataDir.path });

    expect(isAlive(postmaster)).toBe(false);
    expect(await rowCounts()).toEqual(before);
    expect(linkOf(second)).toBe(linkOf(first));
    const status = await second.api.get(`/api/v1/call/status/${entry.call_id}`);
    expect(status.body.data).toMatchObject({ status: 'queued', position: 1 });
    // The secrets are kept as well, so earlier tokens stay valid.
    expect((await second.api.get('/api/v1/users/me', { token: manager.token })).status).toBe(200);
  });
});

describe('a deadline', () => {
  it('that passed while no process ran takes effect after the start', async () => {
    const settings = { DATA_DIR: dataDir.path };
    const first = await ServiceProcess.start(settings);
    const manager = await login(first);
    const { call_id } = await join(first);
    expect((await manager.post(`/api/v1/calls/${call_id}/assign`)).body.data.status).toBe('assigned');
    await killAlone(first);

    await asSuperuser(dataDir.databaseUrl, async (client) => {
      const { rowCount } = await client.query(
        `UPDATE calls SET ring_deadline = now() - interval '1 second' WHERE id = $1 AND status = 'assigned'`,
        [call_id],
      );
      expect(rowCount).toBe(1);
    });
    const second = await ServiceProcess.start(settings);

    const returned = await until(
      async () => {
        const details = await second.api.get(`/api/v1/calls/${call_id}`, { token: manager.token });
        return details.body.data.status !== 'assigned' && details.body.data;
      },
      () => 'the call still rings',
    );
    expect(returned).toMatchObject({ status: 'queued', user_id: null, unanswered_count: 1 });
  });
});

/** Its database is left over. */
async function killAlone(service: ServiceProcess): Promise<void> {
  dataDir.killDatabaseHost();
  await service.kill();
}

const linkOf = (service: ServiceProcess) => /\/c\/(\S+)/.exec(service.output)?.[1] ?? '';

async function join(service: ServiceProcess): Promise<{ call_id: string }> {
  const entry = await service.api.post(`/api/v1/call/${linkOf(service)}/join`, { name: 'Wanda Waiting' });
  expect(entry.status).toBe(200);
  return entry.body.data;
}

async function login(service: ServiceProcess) {
  const body = { tenant: 'demo', email: 'manager@demo.example', password: 'demo-call-queue' };
  const { access_token: token } = (await service.api.post('/api/auth/login', body)).body;
  const post = (path: string, payload?: unknown) => service.api.post(path, payload, { token });
  return { token, post };
}

/** Counts the rows of each table, except for tables whose rows belong to running processes. */
function rowCounts(): Promise<Record<string, number>> {
  return asSuperuser(dataDir.databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND relname NOT IN ('instances', 'connections') ORDER BY relname`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of rows) {
      const found = await client.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${name}`);
      counts[name] = found.rows[0]?.rows ?? 0;
    }
    return counts;
  });
}
