import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import type { Transaction } from '../database/transaction';
import { ApiError } from '../http/errors/api-error';
import { Jobs } from '../jobs/jobs';
import { restartPublicTime } from '../logging/request-context';
import { OutboundGate } from '../database/installation/outbound-gate';
import { StoredObjectLedger } from './stored-object-ledger';
import { ContentMeter } from './content-meter';
import { logStorageFailure, STORAGE, type Storage } from './storage';
import type { UploadReservation } from './stored-object-ledger';

/** An object that is completely stored and not yet kept by a record. */
export interface StoredObject {
  key: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
}

/** A third of the lease, so that two renewals in a row may fail. */
const RENEWAL_INTERVAL_MS = 5 * 60_000;
/** How long the start waits for the check of the storage. */
const CHECK_TIMEOUT_MS = 3000;

/** An id that no tenant has. */
const NO_TENANT_ID = '00000000-0000-0000-0000-000000000000';

/** Objects that are deleted at a time. */
const BATCH_SIZE = 20;

/**
 * Keeps storage and database consistent. Each object is leased in the ledger before its first byte is
 * written. The transaction that adds its record keeps it (`keep`); a trigger makes it due when the record is
 * deleted. The sweep deletes due objects and those whose lease has expired.
 */
@Injectable()
export class StoredObjectsService implements OnApplicationBootstrap, OnModuleInit {
  private readonly logger = new Logger(StoredObjectsService.name);

  constructor(
    private readonly ledger: StoredObjectLedger,
    private readonly jobs: Jobs,
    private readonly gate: OutboundGate,
    @Inject(STORAGE) private readonly storage: Storage,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('sweep-stored-objects', '* * * * *', () => this.sweep());
  }

  /** Logs a wrong address or key at the start, not with the first upload. The service starts nevertheless. */
  async onApplicationBootstrap(): Promise<void> {
    const checked = this.checkStorage().catch((error: unknown) =>
      logStorageFailure(error, 'The storage of STORAGE_URL does not work'),
    );
    await Promise.race([checked, setTimeout(CHECK_TIMEOUT_MS, undefined, { ref: false })]);
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
   * Stores `content` under a new key that starts with the tenant's id. If the content fails, nothing remains.
   * If the storage fails, the lease remains until the sweep, since the storage may still complete a write
   * that it has not confirmed.
   * @param kind part of the key that tells people what the object belongs to
   * @param reservation counts until the object is kept or discarded, or the write has failed
   * @throws 503 if the storage fails, or the error of the reservation or the content
   */
  async write(
    tenantId: string,
    kind: string,
    content: AsyncIterable<Buffer>,
    reservation?: UploadReservation,
  ): Promise<StoredObject> {
    const key = `${tenantId}/${kind}/${randomUUID()}`;
    await this.ledger.reserve(tenantId, key, reservation);
    const renewal = setInterval(() => void this.renew(tenantId, key), RENEWAL_INTERVAL_MS).unref();
    const meter = new ContentMeter();
    try {
      await this.storage.write(key, Readable.from(meter.measure(content), { objectMode: false }));
      restartPublicTime();
      await this.ensureLeased(tenantId, key);
      return { key, size: meter.size, sha256: meter.digest() };
    } catch (error) {
      restartPublicTime();
      if (meter.failure === undefined) {
        logStorageFailure(error, 'An object was not stored');
        if (reservation) await this.endReservation(tenantId, key);
        throw error;
      }
      await this.discard(key);
      throw meter.failure;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Keeps the object for a record that the transaction adds. @throws 503 if its lease has expired */
  async keep(tx: Transaction, key: string): Promise<void> {
    if (!(await this.ledger.keep(tx, key))) throw leaseExpired();
  }

  /** Deletes an object unless a record keeps it. If that fails, the sweep deletes it later. */
  async discard(key: string): Promise<void> {
    try {
      if (await this.ledger.release(key)) await this.delete([key]);
    } catch (error) {
      this.logger.error(error, 'An object was not discarded; the sweep tries again');
    }
  }

  /** Deletes every due object. Objects that the storage fails to delete remain due. */
  async sweep(): Promise<void> {
    if (this.gate.isPaused) return;
    let due: string[];
    let deleted: number;
    do {
      due = await this.ledger.takeDue(BATCH_SIZE);
      deleted = await this.delete(due);
      // Stops if the storage deletes none of a whole batch; the next sweep tries again.
    } while (due.length === BATCH_SIZE && deleted > 0);
  }

  /**
   * Deletes due objects. A restored database keeps them until it is resumed: the original of a copy may still use them.
   * @returns the number that the storage has deleted
   */
  private async delete(keys: string[]): Promise<number> {
    if (this.gate.isPaused) return 0;
    const results = await Promise.allSettled(keys.map((key) => this.storage.delete(key)));
    const deleted = keys.filter((_, index) => results[index]?.status === 'fulfilled');
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) logStorageFailure(failed.reason, `${keys.length - deleted.length} objects were not deleted`);
    if (deleted.length > 0) await this.ledger.forget(deleted);
    return deleted.length;
  }

  /**
   * If the lease has expired, the sweep may have deleted the object during the write: the rest is deleted and
   * the write fails.
   */
  private async ensureLeased(tenantId: string, key: string): Promise<void> {
    if (await this.ledger.renew(tenantId, key)) return;
    await this.ledger.reserve(tenantId, key);
    await this.storage.delete(key);
    throw leaseExpired();
  }

  /** The space counts again at once; otherwise it would count until the lease ends. */
  private async endReservation(tenantId: string, key: string): Promise<void> {
    await this.ledger.endReservation(tenantId, key).catch((error: unknown) => this.logger.error(error));
  }

  private async renew(tenantId: string, key: string): Promise<void> {
    await this.ledger.renew(tenantId, key).catch((error: unknown) => this.logger.error(error));
  }
}

const leaseExpired = () =>
  new ApiError(503, 'storage_unavailable', 'The upload took too long to be stored. Send it again.');
