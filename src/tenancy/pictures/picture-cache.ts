import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock/clock';
import { runShared } from '../../platform/logging/request-context';

const CACHE_BYTES = 32 * 1024 * 1024;
/** How long other instances may serve a replaced picture, and all instances the pictures of a suspended tenant. */
const CACHE_TTL_MS = 10_000;

/** Where a picture is served: the company, what it shows, and the SHA-256 of its content. */
export interface PictureAddress {
  tenantId: string;
  /** Of what the picture shows. */
  ownerId: string;
  hash: string;
}

const keyOf = ({ tenantId, ownerId, hash }: PictureAddress): string => `${tenantId} ${ownerId} ${hash}`;

/**
 * Public pictures of recent requests. A link sent to many customers causes many requests at once; concurrent ones share one
 * read.
 */
export class PictureCache {
  private readonly cache: LRUCache<string, Buffer, PictureAddress>;

  /** @param read undefined unless the address is that of a current picture */
  constructor(clock: Clock, read: (address: PictureAddress) => Promise<Buffer | undefined>) {
    this.cache = new LRUCache<string, Buffer, PictureAddress>({
      maxSize: CACHE_BYTES,
      sizeCalculation: (content) => content.length,
      ttl: CACHE_TTL_MS,
      ttlResolution: 0,
      perf: { now: () => clock.elapsedMs() },
      // A read in progress while the picture is replaced returns the old one but does not cache it.
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => runShared(() => read(context)),
    });
  }

  find(address: PictureAddress): Promise<Buffer | undefined> {
    return this.cache.fetch(keyOf(address), { context: address });
  }

  /** The picture of this owner has changed. */
  drop(tenantId: string, ownerId: string): void {
    const prefix = keyOf({ tenantId, ownerId, hash: '' });
    for (const key of this.cache.keys()) if (key.startsWith(prefix)) this.cache.delete(key);
  }
}
