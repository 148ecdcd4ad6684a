import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { ApiError } from '../http/api-error';
import { Jobs } from '../jobs/jobs';
import { STORAGE, type Storage } from './storage';

/** An object that is stored whole, but that no record stands for yet. */
export interface StoredObject {
  key: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
}

/** How long an object may be without a record before it counts as left behind; renewed while it is written. */
const LEASE_MINUTES = 15;
const RENEWAL_MS = 5 * 60_000;
const BATCH = 20;

/**
 * Keeps storage and database of one mind. Each object has a row in `stored_objects` before its first byte is
 * written, with a time from which it may be discarded; the transaction that adds the record takes that time away
 * (`keep`), a trigger sets it again when the record goes, whatever deletes it. The sweep deletes what is due.
 */
@Injectable()
export class StoredObjects implements OnModuleInit {
  private readonly logger = new Logger(StoredObjects.name);

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('sweep-stored-objects', '* * * * *', () => this.sweep());
  }

  /**
   * Stores `content` under a new key below the tenant's own. Nothing is left when it fails.
   * @param kind what the object belongs to, for people who look at the storage
   * @throws 503 when the storage does not take it, and whatever the content fails with
   */
  async write(tenantId: string, kind: string, content: AsyncIterable<Buffer>): Promise<StoredObject> {
    const key = `${tenantId}/${kind}/${randomUUID()}`;
    await this.reserve(tenantId, key);
    const renewal = setInterval(() => void this.renew(tenantId, key), RENEWAL_MS).unref();
    const meter = new Meter();
    try {
      await this.storage.write(key, Readable.from(meter.measure(content), { objectMode: false }));
      return { key, size: meter.size, sha256: meter.digest() };
    } catch (error) {
      await this.discard(key);
      throw meter.failure ?? error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Marks the object as some record's, in the transaction that adds the record. @throws 503 when it is gone */
  async keep(tx: Transaction, key: string): Promise<void> {
    const kept = await tx.query(
      'UPDATE stored_objects SET discard_at = NULL WHERE key = $1 AND discard_at IS NOT NULL RETURNING key',
      [key],
    );
    if (kept.length === 0) {
      throw new ApiError(503, 'storage_unavailable', 'The upload took too long to be stored. Send it again.');
    }
  }

  /** Deletes an object that no record stands for. What cannot be deleted now, the sweep will. */
  async discard(key: string): Promise<void> {
    try {
      await this.storage.delete(key);
      await this.database.system((tx) =>
        tx.query('DELETE FROM stored_objects WHERE key = $1 AND discard_at IS NOT NULL', [key]),
      );
    } catch (error) {
      this.logger.error(error, 'An object could not be deleted; the sweep tries again');
    }
  }

  /** Deletes every object whose time has come. What the storage does not delete stays due. */
  async sweep(): Promise<void> {
    while ((await this.sweepBatch()) === BATCH);
  }

  /** The rows stay locked meanwhile, so that nobody can keep what is being deleted. */
  private sweepBatch(): Promise<number> {
    return this.database.system(async (tx) => {
      const due = await tx.query<{ key: string }>(
        `SELECT key FROM stored_objects WHERE discard_at <= now()
         ORDER BY discard_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
      );
      const results = await Promise.allSettled(due.map(({ key }) => this.storage.delete(key)));
      const deleted = due.filter((_, index) => results[index]?.status === 'fulfilled').map(({ key }) => key);
      await tx.query('DELETE FROM stored_objects WHERE key = ANY ($1)', [deleted]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) this.logger.error(failed.reason, `${due.length - deleted.length} objects were not deleted`);
      return deleted.length;
    });
  }

  private async reserve(tenantId: string, key: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `INSERT INTO stored_objects (key, tenant_id, discard_at)
         VALUES ($1, $2, now() + make_interval(mins => ${LEASE_MINUTES}))`,
        [key, tenantId],
      ),
    );
  }

  private async renew(tenantId: string, key: string): Promise<void> {
    await this.database
      .tenant(tenantId, (tx) =>
        tx.query(
          `UPDATE stored_objects SET discard_at = now() + make_interval(mins => ${LEASE_MINUTES})
           WHERE key = $1 AND discard_at IS NOT NULL`,
          [key],
        ),
      )
      .catch((error: unknown) => this.logger.error(error));
  }
}

/** Measures what passes through it, and remembers whether it was the content that failed. */
class Meter {
  size = 0;
  failure: Error | undefined;
  private readonly hash = createHash('sha256');

  async *measure(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of content) {
        this.size += chunk.length;
        this.hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      this.failure = error as Error;
      throw error;
    }
  }

  digest(): string {
    return this.hash.digest('hex');
  }
}
