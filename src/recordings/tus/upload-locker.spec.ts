import type { Lock } from '@tus/server';
import { UploadLocker } from './upload-locker';

const take = (lock: Lock, requestRelease: () => void = () => {}) =>
  lock.lock(new AbortController().signal, requestRelease);

/** Waits until all pending promise callbacks have run. */
const idle = () => new Promise(setImmediate);

describe('UploadLocker', () => {
  it('grants the lock to concurrent requests one at a time, in order', async () => {
    const locks = new UploadLocker();
    const active = new Set<number>();
    const granted: number[] = [];
    const run = async (request: number) => {
      const lock = locks.newLock('upload');
      const asked = Promise.withResolvers<void>();
      await take(lock, asked.resolve);
      active.add(request);
      granted.push(request);
      expect([...active]).toEqual([request]);
      if (request < 9) await asked.promise;
      await idle();
      active.delete(request);
      await lock.unlock();
    };
    await Promise.all(Array.from({ length: 10 }, (_, request) => run(request)));
    expect(granted).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('ignores an unlock by a request that does not hold the lock', async () => {
    const locks = new UploadLocker();
    const [first, stranger, second] = [1, 2, 3].map(() => locks.newLock('upload')) as [Lock, Lock, Lock];
    await take(first);
    await stranger.unlock();
    let isGranted = false;
    const granting = take(second).then(() => {
      isGranted = true;
    });
    await idle();
    expect(isGranted).toBe(false);
    await first.unlock();
    await granting;
    // A second unlock has no effect.
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

  it('locks each upload separately', async () => {
    const locks = new UploadLocker();
    await take(locks.newLock('one'));
    await take(locks.newLock('other'));
  });

  it('asks for held locks on shutdown, and grants no others', async () => {
    const locks = new UploadLocker();
    const held = locks.newLock('upload');
    await take(held, () => void held.unlock());
    const stopped = locks.onModuleDestroy();
    await expect(take(locks.newLock('other'))).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    await stopped;
    await expect(take(locks.newLock('upload'))).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  });
});
