import { setTimeout as delay } from 'node:timers/promises';
import {
  type RequestContext,
  requestContext,
  runAsReservedBackgroundWork,
} from '../../logging/request-context';
import { PoolAdmission } from './pool-admission';
import { ConnectionLimitError } from './semaphore';

const contextOf = (connection: RequestContext['connection']): RequestContext => ({
  request_id: 'test',
  address: null,
  connection,
});

const isSettledSoon = async (work: Promise<unknown>) =>
  Promise.race([work.then(() => true), delay(20, false)]);

describe('PoolAdmission', () => {
  afterEach(() => jest.useRealTimers());

  it('gives the requests of one tenant at most half of the pool', async () => {
    const admission = new PoolAdmission({ databasePoolSize: 10 });
    const acquire = (tenantId: string) =>
      requestContext.run(contextOf('reserved'), () => admission.acquire(tenantId));
    const held = await Promise.all(Array.from({ length: 5 }, () => acquire('one')));
    const waiting = acquire('one');
    expect(await isSettledSoon(waiting)).toBe(false);
    (await acquire('other'))();
    held[0]?.();
    (await waiting)();
    for (const release of held.slice(1)) release();
    (await acquire('one'))();
  });

  it('gives background work of calls at most two reserved connections', async () => {
    const admission = new PoolAdmission({ databasePoolSize: 20 });
    const unreserved = await Promise.all(Array.from({ length: 16 }, () => admission.acquire()));
    const acquire = () => runAsReservedBackgroundWork(() => admission.acquire());
    const held = [await acquire(), await acquire()];
    const waiting = acquire();
    expect(await isSettledSoon(waiting)).toBe(false);
    // It gets an ordinary connection or one of the two, whichever becomes free first.
    unreserved[0]?.();
    const ordinary = await waiting;
    const waitingAgain = acquire();
    expect(await isSettledSoon(waitingAgain)).toBe(false);
    held[0]?.();
    const reserved = await waitingAgain;
    for (const release of [...unreserved, ...held, ordinary, reserved]) release();
    // No place was lost or counted twice.
    const all = await Promise.all(Array.from({ length: 18 }, acquire));
    expect(await isSettledSoon(acquire())).toBe(false);
    for (const release of all) release();
  });

  it('lets a public request wait for a second in all, however many connections it needs', async () => {
    jest.useFakeTimers();
    const admission = new PoolAdmission({ databasePoolSize: 1 });
    await requestContext.run(contextOf('public'), async () => {
      const first = await admission.acquire();
      const second = admission.acquire();
      await jest.advanceTimersByTimeAsync(700);
      first();
      const held = await second;
      const refused = expect(admission.acquire()).rejects.toBeInstanceOf(ConnectionLimitError);
      await jest.advanceTimersByTimeAsync(300);
      await refused;
      held();
    });
  });

  it.each([
    ['pauses between public requests while a request of a call has a connection', true, 50, 5],
    ['pauses longer while they wait long', true, 150, 15],
    ['does not pause while no request of a call has a connection', false, 150, 0],
  ])('%s', async (_when, isCallActive, waitedMs, pauseMs) => {
    jest.useFakeTimers();
    const admission = new PoolAdmission({ databasePoolSize: 5 });
    const acquire = (kind: RequestContext['connection']) =>
      requestContext.run(contextOf(kind), () => admission.acquire('one'));
    if (isCallActive) await acquire('reserved');
    const leave = await acquire('public');
    let isAdmitted = false;
    const next = acquire('public').finally(() => (isAdmitted = true));
    await jest.advanceTimersByTimeAsync(waitedMs);
    leave();
    await jest.advanceTimersByTimeAsync(Math.max(0, pauseMs - 1));
    if (pauseMs > 0) expect(isAdmitted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(isAdmitted).toBe(true);
    (await next)();
  });
});
