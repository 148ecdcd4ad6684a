import {
  type AccessChange,
  ACCESS_CHANGES,
  createSubject,
  AccessMonitor,
} from '../support/authorisation/access-changes';
import { expectStatus, TestTenant } from '../support/builders';
import type { ServiceProcess } from '../support/service/service-process';
import { until } from '../support/until';
import { Cluster } from './support/cluster';

/** Redis delivers a change within this time. Without Redis it takes seconds. */
const MAX_PROPAGATION_MS = 1000;
/** A busy machine can delay one of them. */
const ROUNDS = 3;

/** Makes changes until one is fast enough, in at most ROUNDS. @param change returns how many milliseconds it took */
async function expectPropagation(change: () => Promise<number>): Promise<void> {
  const durations: number[] = [];
  while (durations.length < ROUNDS && !durations.some((ms) => ms < MAX_PROPAGATION_MS)) {
    durations.push(await change());
  }
  expect(Math.min(...durations)).toBeLessThan(MAX_PROPAGATION_MS);
}

describe('an access change on one of two instances', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start();
  });

  afterAll(() => cluster?.stop());

  it.each(ACCESS_CHANGES.map((change) => [change.what, change] as const))(
    'takes effect on the other immediately, for requests and sockets: %s',
    (_what, change) => expectPropagation(() => changeAccess(change)),
  );

  /** Changes the access of a new user. @returns after how many milliseconds the other instance knew it */
  async function changeAccess(change: AccessChange): Promise<number> {
    const subject = await createSubject(cluster.test, change);
    const watch = await AccessMonitor.start(cluster.a, change, subject);
    expect((await change.make(subject)).status).toBeLessThan(300);
    const changedAt = performance.now();
    await Promise.all([
      until(
        () => watch.isRefused(),
        () => 'the request is still answered',
      ),
      until(
        () => watch.socketIsRestricted(),
        () => 'the socket still has its former access',
      ),
    ]);
    const duration = performance.now() - changedAt;
    watch.close();
    return duration;
  }

  it('takes effect on the other immediately: settings of the company, which are cached', async () => {
    await expectPropagation(async () => {
      const { owner } = await TestTenant.register(cluster.test);
      const path = '/api/v1/tenant';
      const settingAt = async ({ api }: ServiceProcess) =>
        (await api.as(owner.token).get(path)).body.data.service_level_seconds;
      expect(await settingAt(cluster.a)).toBe(20);
      expectStatus(await cluster.b.api.as(owner.token).put(path, { service_level_seconds: 40 }), 200);
      const changedAt = performance.now();
      await until(
        async () => (await settingAt(cluster.a)) === 40,
        () => 'the setting is the former one',
      );
      return performance.now() - changedAt;
    });
  });
});
