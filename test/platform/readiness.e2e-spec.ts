import { Database } from '../../src/platform/database/database';
import { startTestApp, type TestApp } from '../support/test-app';

const POOL_SIZE = 2;

describe('readiness', () => {
  let test: TestApp;

  beforeAll(async () => {
    // No Redis server listens on this port.
    test = await startTestApp({
      env: { DATABASE_POOL_SIZE: String(POOL_SIZE), REDIS_URL: 'redis://127.0.0.1:1' },
    });
  });

  afterAll(() => test.close());

  it('does not wait for requests that hold every connection', async () => {
    const held = Promise.withResolvers<void>();
    const started = Array.from({ length: POOL_SIZE }, () => Promise.withResolvers<void>());
    const holders = started.map(({ resolve }) =>
      test.get(Database).system(async () => {
        resolve();
        await held.promise;
      }),
    );
    await Promise.all(started.map(({ promise }) => promise));
    try {
      expect((await test.api.get('/readyz')).status).toBe(200);
    } finally {
      held.resolve();
      await Promise.all(holders);
    }
  });

  it('does not depend on Redis, whose state is a metric', async () => {
    const { status, body } = await test.api.get('/readyz');
    expect(status).toBe(200);
    expect(Object.keys(body.data.details)).toEqual(['service', 'database']);
    expect(await (await fetch(`${test.url}/metrics`)).text()).toMatch(/^vcq_redis_up 0$/m);
  });
});
