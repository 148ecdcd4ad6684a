import { Clock } from '../../clock/clock';
import { type RequestContext, requestContext } from '../../logging/request-context';
import { PoolAdmission } from './pool-admission';
import { PublicLockTimeouts } from './public-lock-timeouts';

const LOCK_TIMEOUT = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const DEADLOCK = Object.assign(new Error('deadlock detected'), { code: '40P01' });

class MovableClock extends Clock {
  time = Date.now();

  override elapsedMs(): number {
    return this.time;
  }
}

let clock: MovableClock;
let timeouts: PublicLockTimeouts;

beforeEach(() => {
  clock = new MovableClock();
  timeouts = new PublicLockTimeouts(new PoolAdmission({ databasePoolSize: 10 }), clock);
});

const beginAs = (connection: RequestContext['connection'], tenantId?: string) =>
  requestContext.run({ request_id: 'test', address: null, connection }, () => timeouts.begin(tenantId));

const begin = (tenantId?: string) => beginAs('public', tenantId);

/** Begins a transaction across tenants that finds out its tenant. */
function beginAndNarrow(tenantId: string) {
  const timeout = begin();
  timeout.narrow(tenantId);
  return timeout;
}

it('public requests wait less than half as long for a lock as for a connection', () => {
  expect(begin('one').ms).toBe(400);
  expect(begin().ms).toBe(400);
});

it.each([undefined, 'reserved'] as const)(
  'other requests (%s) wait as long as their session',
  (connection) => {
    expect(beginAs(connection, 'one').ms).toBeUndefined();
  },
);

it('work outside of requests waits as long as its session', () => {
  expect(timeouts.begin('one').ms).toBeUndefined();
});

it('after a lock timeout, transactions of the same tenant wait much less', () => {
  beginAndNarrow('one').recordFailure(LOCK_TIMEOUT);
  expect(begin('one').ms).toBe(50);
  expect(beginAndNarrow('one').ms).toBe(50);
  expect(begin('other').ms).toBe(400);
  expect(begin().ms).toBe(400);
});

it.each([
  ['another error', () => begin('one').recordFailure(DEADLOCK)],
  ['a lock timeout before the tenant is known', () => begin().recordFailure(LOCK_TIMEOUT)],
  ['a lock timeout of another kind of request', () => beginAs('reserved', 'one').recordFailure(LOCK_TIMEOUT)],
])('%s does not shorten the wait', (_, fail) => {
  fail();
  expect(begin('one').ms).toBe(400);
});

it('a timeout of a short wait does not renew the short limit', () => {
  begin('one').recordFailure(LOCK_TIMEOUT);
  clock.time += 900;
  begin('one').recordFailure(LOCK_TIMEOUT);
  clock.time += 200;
  expect(begin('one').ms).toBe(400);
});
