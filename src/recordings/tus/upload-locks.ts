import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Lock, Locker, RequestRelease } from '@tus/server';
import { ApiError } from '../../platform/http/errors/api-error';

const LONGEST_WAIT_MS = 10_000;

interface Holder {
  requestRelease: RequestRelease;
  released: Promise<void>;
  release: () => void;
}

/**
 * One request at a time for an upload on this instance. Whoever comes next is most often the same client over a
 * new connection: the one before is asked to store what it has, and to end. The library's own locker would keep
 * a processor busy with waiting. Between instances, and in the end, the database decides.
 */
@Injectable()
export class UploadLocks implements Locker, OnModuleDestroy {
  private readonly holders = new Map<string, Holder>();

  newLock(id: string): Lock {
    let own: Holder | undefined;
    return {
      lock: async (_signal, requestRelease) => {
        own = await this.hold(id, requestRelease);
      },
      unlock: async () => {
        if (!own) return;
        if (this.holders.get(id) === own) this.holders.delete(id);
        own.release();
      },
    };
  }

  /** A stop in order costs nobody what has come: whoever is still sending stores it now. */
  async onModuleDestroy(): Promise<void> {
    const holders = [...this.holders.values()];
    await Promise.all(holders.map((holder) => this.end(holder, LONGEST_WAIT_MS)));
  }

  /** @throws 423 */
  private async hold(id: string, requestRelease: RequestRelease): Promise<Holder> {
    const end = performance.now() + LONGEST_WAIT_MS;
    for (let holder; (holder = this.holders.get(id));) {
      if (performance.now() >= end) {
        throw new ApiError(423, 'upload_locked', 'Another request for this upload is still under way.');
      }
      await this.end(holder, end - performance.now());
    }
    // In the same tick as the check: all who waited for one holder go on at once.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const own = { requestRelease, released, release };
    this.holders.set(id, own);
    return own;
  }

  private async end({ requestRelease, released }: Holder, ms: number): Promise<void> {
    await requestRelease();
    await within(ms, released);
  }
}

async function within(ms: number, promise: Promise<void>): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}
