import { ACCESS_CHANGES, subjectOf, Watch } from '../support/authorisation/access-changes';
import { until } from '../support/until';
import { Cluster } from './support/cluster';

/** As soon as the news has come over Redis; without it, it would be seconds. */
const AT_ONCE_MS = 1000;

describe('of two instances, what one changes about access', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start();
  });

  afterAll(() => cluster?.stop());

  it.each(ACCESS_CHANGES.map((change) => [change.what, change] as const))(
    'counts on the other at once, for requests and sockets: %s',
    async (_what, change) => {
      const subject = await subjectOf(cluster.test, change);
      const watch = await Watch.begin(cluster.a, change, subject);
      expect((await change.make(subject)).status).toBeLessThan(300);
      await Promise.all([
        until(
          () => watch.isRefused(),
          () => 'the request is still answered',
          AT_ONCE_MS,
        ),
        until(
          () => watch.hasSettled(),
          () => 'the socket is as it was',
          AT_ONCE_MS,
        ),
      ]);
      watch.end();
    },
  );
});
