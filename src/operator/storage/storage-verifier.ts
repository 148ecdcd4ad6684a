import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { type ListedObject, STORAGE, type Storage } from '../../platform/storage/storage';

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

const BATCH_SIZE = 1000;
const MAX_KEYS = 100;

/** Counts keys after they were confirmed in batches, and keeps the first of them. */
class KeySample {
  /** The confirmed keys so far; all of them after `flush`. */
  count = 0;
  /** The first confirmed keys, at most 100. */
  readonly keys: string[] = [];
  private batch: string[] = [];

  constructor(private readonly confirm: (keys: string[]) => Promise<string[]>) {}

  async add(key: string): Promise<void> {
    this.batch.push(key);
    if (this.batch.length === BATCH_SIZE) await this.flush();
  }

  /** Confirms the rest. */
  async flush(): Promise<void> {
    if (this.batch.length === 0) return;
    const confirmed = await this.confirm(this.batch);
    this.batch = [];
    this.count += confirmed.length;
    this.keys.push(...confirmed.slice(0, MAX_KEYS - this.keys.length));
  }
}

interface LedgerRow {
  key: string;
  /** Whether a record keeps the object; otherwise it is being uploaded, or due for deletion. */
  is_kept: boolean;
}

const PAGE_SIZE = 1000;

/** Walks through the rows of the ledger in the order of the bytes of their keys, as a storage lists its objects. */
class LedgerWalk {
  private page: LedgerRow[] = [];
  private position = 0;
  private isStored = false;

  private constructor(
    private readonly tx: Transaction,
    private readonly onMissing: (key: string) => Promise<void>,
  ) {}

  /** @param onMissing is called for each row that is kept and was passed without `markStored` */
  static async start(tx: Transaction, onMissing: (key: string) => Promise<void>): Promise<LedgerWalk> {
    await tx.query(
      `DECLARE ledger CURSOR FOR SELECT key, discard_at IS NULL AS is_kept FROM stored_objects ORDER BY key COLLATE "C"`,
    );
    const walk = new LedgerWalk(tx, onMissing);
    await walk.readPage();
    return walk;
  }

  /** Passes the rows before `key`. @returns whether `key` has a row, which is then the current one */
  async moveTo(key: string): Promise<boolean> {
    while (this.row && this.row.key < key) await this.pass(this.row);
    return this.row?.key === key;
  }

  /** The object of the current row can be read. */
  markStored(): void {
    this.isStored = true;
  }

  /** Passes all rows that are left. */
  async moveToEnd(): Promise<void> {
    while (this.row) await this.pass(this.row);
  }

  private get row(): LedgerRow | undefined {
    return this.page[this.position];
  }

  private async pass(row: LedgerRow): Promise<void> {
    if (row.is_kept && !this.isStored) await this.onMissing(row.key);
    this.isStored = false;
    this.position++;
    if (this.position === PAGE_SIZE) await this.readPage();
  }

  private async readPage(): Promise<void> {
    this.page = await this.tx.query<LedgerRow>(`FETCH ${PAGE_SIZE} FROM ledger`);
    this.position = 0;
  }
}
