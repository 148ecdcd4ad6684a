import { setTimeout as delay } from 'node:timers/promises';
import {
  type RequestContext,
  requestContext,
  restartPublicTime,
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

  it('gives one tenant, or address, no more connections than it leaves to others, whatever it asks for', async () => {
    const admission = new PoolAdmission({ databasePoolSize: 10 });
    const heldOf = async (connection: RequestContext['connection'], name: string, isTenant = true) => {
      const acquire = () =>
        requestContext.run({ ...contextOf(connection), address: isTenant ? null : name }, () =>
          admission.acquire(isTenant ? name : undefined),
        );
      const attempts = Array.from({ length: 10 }, acquire);
      const held: (() => void)[] = [];
      for (const attempt of attempts)
        void attempt.then(
          (release) => held.push(release),
          () => undefined,
        );
      await delay(5);
      return held;
    };
    // Of four public connections, and then of five of the eight that are not reserved.
    const visitors = [
      await heldOf('public', '198.51.100.1', false),
      await heldOf('public', '198.51.100.2', false),
    ];
    const staff = [await heldOf(undefined, 'one'), await heldOf(undefined, 'other')];
    const third = await heldOf('public', '198.51.100.3', false);
    expect([...visitors, ...staff, third].map(({ length }) => length)).toEqual([2, 1, 3, 1, 1]);
    // Each one that becomes free goes to somebody who holds none.
    const fourth = await heldOf('public', '198.51.100.4', false);
    expect(fourth).toHaveLength(0);
    visitors[0]?.[0]?.();
    await delay(5);
    expect([visitors[0], fourth].map((held) => held?.length)).toEqual([2, 1]);
    expect(await heldOf('reserved', 'one')).toHaveLength(1);
  });

  it('lets work of the service itself have what is not reserved', async () => {
    const admission = new PoolAdmission({ databasePoolSize: 10 });
    for (const _ of Array.from({ length: 8 })) await admission.acquire();
    expect(await isSettledSoon(admission.acquire().catch(() => undefined))).toBe(false);
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

  it('lets a public request wait until six seconds after its beginning, whatever it spends them on', async () => {
    jest.useFakeTimers();
    const admission = new PoolAdmission({ databasePoolSize: 1 });
    await requestContext.run(contextOf('public'), async () => {
      // An attempt, a wait, and another attempt.
      const first = await admission.acquire();
      await jest.advanceTimersByTimeAsync(2000);
      const second = admission.acquire();
      await jest.advanceTimersByTimeAsync(2000);
      first();
      const held = await second;
      await jest.advanceTimersByTimeAsync(1000);
      const refused = expect(admission.acquire()).rejects.toBeInstanceOf(ConnectionLimitError);
      await jest.advanceTimersByTimeAsync(1000);
      await refused;
      expect(await admission.waitForLock()).toBe(false);
      held();
    });
  });

  it('does not count the time in which a public request receives its body', async () => {
    jest.useFakeTimers();
    const admission = new PoolAdmission({ databasePoolSize: 1 });
    await requestContext.run(contextOf('public'), async () => {
      (await admission.acquire())();
      await jest.advanceTimersByTimeAsync(60_000);
      expect(admission.remainingPublicMs()).toBe(0);
      restartPublicTime();
      expect(admission.remainingPublicMs()).toBe(6000);
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

  it('waits for a lock without a connection, within the time of the public request', async () => {
    const admission = new PoolAdmission({ databasePoolSize: 5 });
    expect(await admission.waitForLock()).toBe(false);
    const times = await requestContext.run(contextOf('public'), async () => {
      jest.replaceProperty(admission, 'publicWaitMs', 100);
      let count = 0;
      while (await admission.waitForLock()) count++;
      return count;
    });
    expect(times).toBeGreaterThanOrEqual(2);
    expect(times).toBeLessThanOrEqual(10);
  });
});
