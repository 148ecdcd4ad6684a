import type { Lock } from '@tus/server';
import { UploadLocks } from './upload-locks';

const take = (lock: Lock, requestRelease: () => void = () => {}) =>
  lock.lock(new AbortController().signal, requestRelease);

/** Goes on once everything that could go on by itself has done so. */
const idle = () => new Promise(setImmediate);

describe('UploadLocks', () => {
  it('lets many who come at once in one after the other, in their order', async () => {
    const locks = new UploadLocks();
    const inside = new Set<number>();
    const entered: number[] = [];
    const visit = async (visitor: number) => {
      const lock = locks.newLock('upload');
      const asked = Promise.withResolvers<void>();
      await take(lock, asked.resolve);
      inside.add(visitor);
      entered.push(visitor);
      expect([...inside]).toEqual([visitor]);
      if (visitor < 9) await asked.promise;
      await idle();
      inside.delete(visitor);
      await lock.unlock();
    };
    await Promise.all(Array.from({ length: 10 }, (_, visitor) => visit(visitor)));
    expect(entered).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('lets nobody in on the word of one who is not inside', async () => {
    const locks = new UploadLocks();
    const [first, stranger, second] = [1, 2, 3].map(() => locks.newLock('upload')) as [Lock, Lock, Lock];
    await take(first);
    await stranger.unlock();
    let isIn = false;
    const entering = take(second).then(() => {
      isIn = true;
    });
    await idle();
    expect(isIn).toBe(false);
    await first.unlock();
    await entering;
    // The first one is long gone, and says so once more.
    await first.unlock();
    const third = locks.newLock('upload');
    let asked = 0;
    const waiting = take(third, () => {}).then(() => asked++);
    await idle();
    expect(asked).toBe(0);
    await second.unlock();
    await waiting;
    await third.unlock();
  });

  it('keeps different uploads out of each other’s way', async () => {
    const locks = new UploadLocks();
    await take(locks.newLock('one'));
    await take(locks.newLock('other'));
  });
});
