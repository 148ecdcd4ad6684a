import { lockCallStatement } from '../../src/routing/dispatch/claim-call';
import { TestTenant } from '../support/builders';
import { callbackRequested, unstaffedCallingQueue } from '../support/contexts/callbacks';
import { asSuperuser } from '../support/database/database';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

/** The key of the lock at which the claim waits between its snapshot and the lock of the call. */
const GATE = 4711;

describe('a claim of a call', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });

  afterAll(() => test.close());

  it('that read the line before the customer left does not take the call afterwards', async () => {
    const tenant = await TestTenant.register(test);
    const { department, link } = await unstaffedCallingQueue(tenant, { routing: 'automatic' });
    const entry = await tenant.join(link as { token: string });
    const { call_id } = entry;
    const call = { tenant_id: tenant.id, call_id, department_id: department.id };
    const { text, values } = lockCallStatement(call, test.clock.now());
    const gated = text.replace(
      'FROM calls c',
      `FROM (SELECT pg_advisory_xact_lock_shared(${GATE})) gate CROSS JOIN calls c`,
    );
    expect(gated).not.toBe(text);
    expect((await test.db.query(gated, values)).rowCount).toBe(1);
    const claimed = await asSuperuser(test.databaseUrl, async (gate) => {
      await gate.query('SELECT pg_advisory_lock($1)', [GATE]);
      const claim = asSuperuser(test.databaseUrl, (client) => client.query(gated, values));
      await until(async () => {
        const waiting = await gate.query(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted`,
          [GATE],
        );
        return waiting.rows.length > 0;
      });
      await callbackRequested(test, entry);
      await gate.query('SELECT pg_advisory_unlock($1)', [GATE]);
      return claim;
    });
    expect(claimed.rows).toEqual([]);
  });
});
