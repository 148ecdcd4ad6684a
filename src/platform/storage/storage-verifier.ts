import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { KeySample } from './key-sample';
import { LedgerWalk } from './ledger-walk';
import { type ListedObject, STORAGE, type Storage } from './storage';

/** The ledger compared with the storage. */
export interface StorageReport {
  /** Objects of the service in the storage. */
  stored_count: number;
  /** Objects that a record refers to and that cannot be read. */
  missing_count: number;
  /** Some of their keys. */
  missing: string[];
  /** Objects that nothing refers to, and that the service does not delete by itself. */
  orphaned_count: number;
  /** Some of their keys. */
  orphaned: string[];
}

/** An object can be listed before its row is seen, and its clock may be another one. */
const MIN_ORPHAN_AGE_MS = 60 * 60_000;
/** The keys of stored objects begin with the id of their tenant; other keys are the erasure journal's, or not ours. */
const OBJECT_KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\//;

/** Compares the ledger of stored objects with the storage. Changes nothing. */
@Injectable()
export class StorageVerifier {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  /**
   * Reads both in the order of their keys, with little memory for any number of objects. What changes meanwhile is
   * looked up again and not reported.
   * @throws StorageUnavailableError
   */
  verify(): Promise<StorageReport> {
    return this.database.system(async (tx) => {
      const missing = new KeySample((keys) => confirm(tx, keys, STILL_KEPT));
      const orphaned = new KeySample((keys) => confirm(tx, keys, STILL_UNKNOWN));
      const storedCount = await this.compare(tx, missing, orphaned);
      await missing.flush();
      await orphaned.flush();
      return {
        stored_count: storedCount,
        missing_count: missing.count,
        missing: missing.keys,
        orphaned_count: orphaned.count,
        orphaned: orphaned.keys,
      };
    });
  }

  /** Merges both lists. @returns the number of objects in the storage */
  private async compare(tx: Transaction, missing: KeySample, orphaned: KeySample): Promise<number> {
    const ledger = await LedgerWalk.start(tx, (key) => missing.add(key));
    let storedCount = 0;
    for await (const object of this.storage.list('')) {
      if (!OBJECT_KEY.test(object.key)) continue;
      if (!object.is_partial) storedCount++;
      const hasRow = await ledger.moveTo(object.key);
      if (hasRow && !object.is_partial) ledger.markStored();
      if (!hasRow && this.isOld(object)) await orphaned.add(object.key);
    }
    await ledger.moveToEnd();
    return storedCount;
  }

  private isOld({ modified_at }: ListedObject): boolean {
    return this.clock.now().getTime() - modified_at.getTime() > MIN_ORPHAN_AGE_MS;
  }
}

const STILL_KEPT = 'EXISTS (SELECT FROM stored_objects s WHERE s.key = found.key AND s.discard_at IS NULL)';
const STILL_UNKNOWN = 'NOT EXISTS (SELECT FROM stored_objects s WHERE s.key = found.key)';

/** The cursor sees the rows of its beginning; this statement sees those of now. */
async function confirm(tx: Transaction, keys: string[], condition: string): Promise<string[]> {
  const confirmed = await tx.query<{ key: string }>(
    `SELECT found.key FROM unnest($1::text[]) WITH ORDINALITY AS found (key, position) WHERE ${condition}
     ORDER BY position`,
    [keys],
  );
  return confirmed.map(({ key }) => key);
}
