import { Client } from 'pg';
import { prepareDatabase } from '../../src/operator/migration/prepare-database';
import type { Json } from '../support/http/api';
import { TestTenant } from '../support/builders';
import { DebianPostgres, describeWithDebianPostgres } from '../support/database/debian-postgres';
import { SERVICE_ROLE } from '../support/database/service-role';
import { until } from '../support/until';
import { Cluster } from './support/cluster';
import { SmallDisk } from './support/small-disk';
import { OutageLoad } from './support/outage-load';

/** The cluster, its migrated database and some space. */
const DISK_MEBIBYTES = 160;

describeWithDebianPostgres('two instances whose database has a full disk', () => {
  let disk: SmallDisk | undefined;
  let postgres: DebianPostgres;
  let db: Client | undefined;
  let cluster: Cluster;
  let entry: Json;
  let link: Json;

  beforeAll(async () => {
    disk = SmallDisk.mount(DISK_MEBIBYTES);
    if (!disk) {
      const notice = 'the spec of a full disk: mounting is not allowed here.';
      // Nobody would notice there.
      if (process.env.CI === 'true') throw new Error(`cannot run ${notice}`);
      process.stderr.write(`NOTICE: skipped ${notice}\n`);
      return;
    }
    postgres = await DebianPostgres.start({}, disk.path);
    await prepareDatabase(postgres.url('postgres'), { role: SERVICE_ROLE });
    db = new Client({ connectionString: postgres.url('postgres') });
    await db.connect();
    cluster = await Cluster.start({ DATABASE_URL: postgres.url('postgres') });
    const tenant = await TestTenant.register({ ...cluster.test, db });
    ({ link } = await tenant.queue({ max_queue_size: 10_000 }));
    entry = await tenant.join(link);
  });

  afterAll(async () => {
    await cluster?.stop();
    await db?.end();
    await postgres?.remove();
    disk?.unmount();
  });

  it('answer what cannot be stored with 503, keep what waits, and go on when there is space', async () => {
    if (!disk) return;
    const load = new OutageLoad([cluster.a, cluster.b], link.token);
    disk.fill();
    await until(() => load.hasBeenUnavailable);
    const { body } = await cluster.a.api.get(`/api/v1/call/status/${entry.call_id}`);
    expect(body.data).toMatchObject({ status: 'queued', position: 1 });
    disk.free();
    await until(load.hasSucceededSince(Date.now()));
    expect(await load.stop()).toEqual({ unexpected: [], hasBeenUnavailable: true });
    const after = await cluster.b.api.get(`/api/v1/call/status/${entry.call_id}`);
    expect(after.body.data).toMatchObject({ status: 'queued', position: 1 });
  });
});
