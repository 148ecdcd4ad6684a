import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Lock, Locker, RequestRelease } from '@tus/server';
import { ApiError } from '../../platform/http/errors/api-error';

const LOCK_TIMEOUT_MS = 10_000;

interface HeldLock {
  requestRelease: RequestRelease;
  released: Promise<void>;
  release: () => void;
}

/**
 * Lets one request at a time work on an upload, on this instance. The next request usually comes from the same client
 * on a new connection, so the current one is asked to store what it has received and to end. The locker of @tus/server
 * would poll. Conflicts between instances are resolved by the database.
 */
@Injectable()
export class UploadLocker implements Locker, OnModuleDestroy {
  private readonly heldLocks = new Map<string, HeldLock>();
  private isStopping = false;

  newLock(id: string): Lock {
    let own: HeldLock | undefined;
    return {
      lock: async (_signal, requestRelease) => {
        own = await this.acquire(id, requestRelease);
      },
      unlock: async () => {
        if (!own) return;
        if (this.heldLocks.get(id) === own) this.heldLocks.delete(id);
        own.release();
      },
    };
  }

  /** On shutdown, requests in progress store what they have received, and no others begin. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    const locks = [...this.heldLocks.values()];
    await Promise.all(locks.map((lock) => this.waitForRelease(lock, LOCK_TIMEOUT_MS)));
  }

  /** @throws 423 if the lock is not released in time, 503 on shutdown */
  private async acquire(id: string, requestRelease: RequestRelease): Promise<HeldLock> {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    for (let held; (held = this.heldLocks.get(id));) {
      if (performance.now() >= deadline) {
        throw new ApiError(423, 'upload_locked', 'Another request for this upload is in progress.');
      }
      await this.waitForRelease(held, deadline - performance.now());
    }
    if (this.isStopping) {
      throw new ApiError(503, 'unavailable', 'The service is restarting. Try again in a moment.');
    }
    // In the same tick as the check, since several requests may have waited for the same lock.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const own = { requestRelease, released, release };
    this.heldLocks.set(id, own);
    return own;
  }

  private async waitForRelease({ requestRelease, released }: HeldLock, timeoutMs: number): Promise<void> {
    await requestRelease();
    await withTimeout(timeoutMs, released);
  }
}

/** Resolves with the promise, or after the timeout. */
async function withTimeout(ms: number, promise: Promise<void>): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}
