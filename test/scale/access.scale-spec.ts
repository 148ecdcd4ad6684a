import { ACCESS_CHANGES, createSubject, AccessMonitor } from '../support/authorisation/access-changes';
import { until } from '../support/until';
import { Cluster } from './support/cluster';

/** Redis delivers a change within this time. Without Redis it takes seconds. */
const MAX_PROPAGATION_MS = 1000;

describe('an access change on one of two instances', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start();
  });

  afterAll(() => cluster?.stop());

  it.each(ACCESS_CHANGES.map((change) => [change.what, change] as const))(
    'takes effect on the other immediately, for requests and sockets: %s',
    async (_what, change) => {
      const subject = await createSubject(cluster.test, change);
      const watch = await AccessMonitor.start(cluster.a, change, subject);
      expect((await change.make(subject)).status).toBeLessThan(300);
      await Promise.all([
        until(
          () => watch.isRefused(),
          () => 'the request is still answered',
          MAX_PROPAGATION_MS,
        ),
        until(
          () => watch.socketIsRestricted(),
          () => 'the socket still has its former access',
          MAX_PROPAGATION_MS,
        ),
      ]);
      watch.close();
    },
  );
});
