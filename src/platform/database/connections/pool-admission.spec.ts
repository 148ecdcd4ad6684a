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

  it('lets a public request wait for six seconds in all, however many connections it needs', async () => {
    jest.useFakeTimers();
    const admission = new PoolAdmission({ databasePoolSize: 1 });
    await requestContext.run(contextOf('public'), async () => {
      const first = await admission.acquire();
      const second = admission.acquire();
      await jest.advanceTimersByTimeAsync(4000);
      first();
      const held = await second;
      const refused = expect(admission.acquire()).rejects.toBeInstanceOf(ConnectionLimitError);
      await jest.advanceTimersByTimeAsync(2000);
      await refused;
      held();
    });
  });

  it('takes a public request whose client leaves out of the line', async () => {
    const admission = new PoolAdmission({ databasePoolSize: 1 });
    const client = new AbortController();
    const held = await admission.acquire();
    const leaving = requestContext.run({ ...contextOf('public'), signal: client.signal }, () =>
      admission.acquire(),
    );
    const next = requestContext.run(contextOf('public'), () => admission.acquire());
    client.abort(new ConnectionLimitError('The client has left.'));
    await expect(leaving).rejects.toThrow('The client has left.');
    held();
    (await next)();
  });
});
