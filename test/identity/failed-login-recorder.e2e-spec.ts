import { FailedLoginRecorder } from '../../src/identity/sessions/failed-login-recorder';
import { PoolAdmission } from '../../src/platform/database/connections/pool-admission';
import { requestContext } from '../../src/platform/logging/request-context';
import { someId, TestTenant } from '../support/builders';
import { auditRows } from '../support/contexts/audit-rows';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const POOL_SIZE = 10;
/** Public requests wait for a connection for 1 s. */
const LONGER_THAN_PUBLIC_WAIT_MS = 1200;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ asInProduction: true, env: { DATABASE_POOL_SIZE: String(POOL_SIZE) } });
});

afterAll(() => test.close());

it('records a rejected login although no connection is free for longer than public requests wait', async () => {
  const tenant = await TestTenant.register(test);
  const admission = test.get(PoolAdmission);
  const held: (() => void)[] = [];
  const hold = () => admission.acquire().then((release) => held.push(release));
  // As the service's own work for calls in progress, which may use all connections of the pool.
  const context = { request_id: someId(), address: '192.0.2.7' };
  await requestContext.run({ ...context, address: null, connection: 'reserved' }, () =>
    Promise.all(Array.from({ length: POOL_SIZE }, hold)),
  );
  const start = performance.now();
  requestContext.run({ ...context, connection: 'public' }, () =>
    test.get(FailedLoginRecorder).record({ accounts: [], tenant_ids: [tenant.id] }, undefined),
  );
  await until(() => performance.now() - start > LONGER_THAN_PUBLIC_WAIT_MS);
  for (const release of held) release();
  const [row] = await until(
    async () => {
      const rows = await auditRows(test, 'request_id = $1', context.request_id);
      return rows.length > 0 && rows;
    },
    () => 'the rejected login was not recorded',
  );
  expect(row).toMatchObject({ tenant_id: tenant.id, user_id: null, address: context.address });
});
