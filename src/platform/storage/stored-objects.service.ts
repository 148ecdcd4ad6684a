import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import type { Transaction } from '../database/transaction';
import { ApiError } from '../http/errors/api-error';
import { Jobs } from '../jobs/jobs';
import { StoredObjectLedger } from './stored-object-ledger';
import { ContentMeter } from './content-meter';
import { logStorageFailure, STORAGE, type Storage } from './storage';

/** An object that is stored whole, but that no record stands for yet. */
export interface StoredObject {
  key: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
}

/** A third of the ledger's lease: two renewals in a row may fail. */
const RENEWAL_INTERVAL_MS = 5 * 60_000;
/** A start does not wait for a storage any longer. */
const CHECK_TIMEOUT_MS = 3000;

/** No tenant has this id. */
const NO_TENANT_ID = '00000000-0000-0000-0000-000000000000';

/** How many objects are deleted at a time. */
const BATCH = 20;

/**
 * Keeps storage and database of one mind. Each object is leased in the ledger before its first byte is written;
 * the transaction that adds the record takes the lease over (`keep`), a trigger makes the object due when the
 * record goes, whatever deletes it. The sweep deletes what is due, and what nobody took over in time.
 */
@Injectable()
export class StoredObjectsService implements OnApplicationBootstrap, OnModuleInit {
  private readonly logger = new Logger(StoredObjectsService.name);

  constructor(
    private readonly ledger: StoredObjectLedger,
    private readonly jobs: Jobs,
    @Inject(STORAGE) private readonly storage: Storage,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('sweep-stored-objects', '* * * * *', () => this.sweep());
  }

  /** An operator hears of a wrong address or key now, not with the first upload. Calls go on without. */
  async onApplicationBootstrap(): Promise<void> {
    const tried = this.checkStorage().catch((error: unknown) =>
      logStorageFailure(error, 'STORAGE_URL names a storage that fails'),
    );
    await Promise.race([tried, setTimeout(CHECK_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private async checkStorage(): Promise<void> {
    if (!this.config.isWorker) return;
    const { key } = await this.write(
      NO_TENANT_ID,
      'check',
      Readable.from([Buffer.from('It can be written to.')]),
    );
    await this.discard(key);
  }

  /**
   * Stores `content` under a new key below the tenant's own. Content that fails leaves nothing; where the
   * storage does, the lease stays: what it did not confirm it may still carry out, and the sweep comes after.
   * @param kind what the object belongs to, for people who look at the storage
   * @throws 503 when the storage does not take it, and whatever the content fails with
   */
  async write(tenantId: string, kind: string, content: AsyncIterable<Buffer>): Promise<StoredObject> {
    const key = `${tenantId}/${kind}/${randomUUID()}`;
    await this.ledger.reserve(tenantId, key);
    const renewal = setInterval(() => void this.renew(tenantId, key), RENEWAL_INTERVAL_MS).unref();
    const meter = new ContentMeter();
    try {
      await this.storage.write(key, Readable.from(meter.measure(content), { objectMode: false }));
      await this.ensureLeased(tenantId, key);
      return { key, size: meter.size, sha256: meter.digest() };
    } catch (error) {
      if (meter.failure === undefined) {
        logStorageFailure(error, 'An object was not stored');
        throw error;
      }
      await this.discard(key);
      throw meter.failure;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Marks the object as some record's, in the transaction that adds the record. @throws 503 when it is too late */
  async keep(tx: Transaction, key: string): Promise<void> {
    if (!(await this.ledger.keep(tx, key))) throw tooLate();
  }

  /** Deletes an object unless a record stands for it. What cannot be deleted now, the sweep will. */
  async discard(key: string): Promise<void> {
    try {
      if (await this.ledger.release(key)) await this.delete([key]);
    } catch (error) {
      this.logger.error(error, 'An object was not discarded; the sweep tries again');
    }
  }

  /** Deletes every object whose time has come. What the storage does not delete stays due. */
  async sweep(): Promise<void> {
    let due: string[];
    let deleted: number;
    do {
      due = await this.ledger.takeDue(BATCH);
      deleted = await this.delete(due);
      // A storage that deletes none of so many is asked again by the next sweep.
    } while (due.length === BATCH && deleted > 0);
  }

  /** Deletes what is due. @returns how many the storage has deleted */
  private async delete(keys: string[]): Promise<number> {
    const results = await Promise.allSettled(keys.map((key) => this.storage.delete(key)));
    const deleted = keys.filter((_, index) => results[index]?.status === 'fulfilled');
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) logStorageFailure(failed.reason, `${keys.length - deleted.length} objects were not deleted`);
    if (deleted.length > 0) await this.ledger.forget(deleted);
    return deleted.length;
  }

  /** Without its lease the object may have been swept before its last byte came: what came since goes, too. */
  private async ensureLeased(tenantId: string, key: string): Promise<void> {
    if (await this.ledger.renew(tenantId, key)) return;
    await this.ledger.reserve(tenantId, key);
    await this.storage.delete(key);
    throw tooLate();
  }

  private async renew(tenantId: string, key: string): Promise<void> {
    await this.ledger.renew(tenantId, key).catch((error: unknown) => this.logger.error(error));
  }
}

const tooLate = () =>
  new ApiError(503, 'storage_unavailable', 'The upload took too long to be stored. Send it again.');
