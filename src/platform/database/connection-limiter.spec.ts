import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../http/errors/api-error';
import { ConnectionLimiter } from './connection-limiter';

const atOnce = () => {
  throw new Error('at once');
};

const shareOf = (databasePoolSize: number) => new ConnectionLimiter({ databasePoolSize });

/** How many can take a place at once. */
async function placesOf(share: ConnectionLimiter): Promise<number> {
  share.patience = 1;
  for (let taken = 0; ; taken++) {
    const isTaken = await share.take().then(
      () => true,
      () => false,
    );
    if (!isTaken) return taken;
  }
}

describe('ConnectionShare', () => {
  it.each([
    [1, 1],
    [4, 1],
    [9, 1],
    [10, 2],
    [50, 10],
  ])('of a pool of %i has %i places', async (poolSize, places) => {
    expect(await placesOf(shareOf(poolSize))).toBe(places);
  });

  it('lets no more than its places work at once, in the order in which they came', async () => {
    const share = shareOf(10);
    const begun: number[] = [];
    let working = 0;
    let most = 0;
    const work = async (number: number) => {
      begun.push(number);
      most = Math.max(most, ++working);
      await pause(number % 3);
      working--;
      return number;
    };
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    expect(await Promise.all(numbers.map((number) => share.run(() => work(number))))).toEqual(numbers);
    expect(begun).toEqual(numbers);
    expect(most).toBe(2);
    expect(await placesOf(share)).toBe(2);
  });

  it('gets a place back from work that fails, at once or later', async () => {
    const share = shareOf(5);
    await expect(share.run(atOnce)).rejects.toThrow('at once');
    await expect(share.run(() => Promise.reject(new Error('later')))).rejects.toThrow('later');
    expect(await placesOf(share)).toBe(1);
  });

  it('takes a place back once, however often it is given', async () => {
    const share = shareOf(5);
    const giveBack = await share.take();
    giveBack();
    giveBack();
    expect(await placesOf(share)).toBe(1);
  });

  it('turns away with 503 who has waited long enough, and no one after them', async () => {
    const share = shareOf(5);
    share.patience = 20;
    const giveBack = await share.take();
    const refusal = await share.take().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ status: 503, code: 'unavailable' });
    const next = share.take();
    giveBack();
    (await next)();
    expect(await placesOf(share)).toBe(1);
  });

  it('forgets who leaves the line', async () => {
    const share = shareOf(5);
    const giveBack = await share.take();
    const leaving = new AbortController();
    const left = expect(share.take(leaving.signal)).rejects.toThrow('gone');
    const next = share.take();
    leaving.abort(new Error('gone'));
    await left;
    giveBack();
    (await next)();
    await expect(share.take(leaving.signal)).rejects.toThrow('gone');
    expect(await placesOf(share)).toBe(1);
  });
});
