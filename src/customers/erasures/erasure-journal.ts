import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { ObjectNotFoundError, STORAGE, type Storage } from '../../platform/storage/storage';

/** An erasure that was committed. It has ids only, no personal data. */
export interface ErasureEntry {
  id: string;
  kind: 'customer' | 'tenant';
  tenant_id: string;
  /** The customer and all that had been merged into it; the tenant. */
  subject_ids: string[];
  /** ISO 8601, in UTC with milliseconds. */
  erased_at: string;
  /** A JWS in compact serialisation; null until the stored objects have been deleted, or where there is none. */
  receipt: string | null;
}

/** The format of an entry, for later versions of the service. */
const VERSION = 1;
const FOLDER = 'erasures/';
/** A key ends with the id of the erasure. */
const ID_LENGTH = 36;

/**
 * A record of all erasures in the storage, outside of the database: a database that is restored to an earlier moment has the
 * erased data again, and is compared with this journal. Its objects are not in the ledger of stored objects.
 */
@Injectable()
export class ErasureJournal {
  constructor(@Inject(STORAGE) private readonly storage: Storage) {}

  /**
   * Adds an entry; does nothing if it is there already. Call it after the erasure was committed, again after a failure.
   * An entry is never overwritten or deleted, whatever other instances do: with the receipt it is another one.
   * @throws StorageUnavailableError
   */
  async append(entry: ErasureEntry): Promise<void> {
    const key = keyOf(entry);
    if (await this.has(key)) return;
    try {
      await this.write(key, entry);
    } catch {
      // An interrupted write may have left a part, over which the storage does not write. The attempt has removed it.
      if (!(await this.has(key))) await this.write(key, entry);
    }
  }

  /** The ids of all erasures with an entry. @throws StorageUnavailableError */
  async ids(): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const { key, is_partial } of this.storage.list(FOLDER)) {
      if (!is_partial) ids.add(key.slice(-ID_LENGTH));
    }
    return ids;
  }

  /**
   * All entries, the oldest first. An erasure whose receipt was signed later has one without and one with it.
   * @throws StorageUnavailableError; Error for an entry that this version cannot read
   */
  async *entries(): AsyncGenerator<ErasureEntry> {
    for await (const { key, is_partial } of this.storage.list(FOLDER)) {
      if (!is_partial) yield parse(key, await json(await this.storage.read(key)));
    }
  }

  private write(key: string, entry: ErasureEntry): Promise<void> {
    const content = Buffer.from(JSON.stringify({ version: VERSION, ...entry }));
    return this.storage.write(key, Readable.from([content], { objectMode: false }));
  }

  private async has(key: string): Promise<boolean> {
    try {
      (await this.storage.read(key)).destroy();
      return true;
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return false;
      throw error;
    }
  }
}

/** Sorted by time, of one erasure the entry without its receipt first. Keys have no capitals, colons and dots. */
const keyOf = ({ id, erased_at, receipt }: ErasureEntry): string =>
  `${FOLDER}${erased_at.toLowerCase().replace(/[:.]/g, '-')}-${receipt === null ? '' : 'signed-'}${id}`;

function parse(key: string, content: unknown): ErasureEntry {
  const { version, ...entry } = content as ErasureEntry & { version?: number };
  if (version !== VERSION) throw new Error(`The entry ${key} of the erasure journal has an unknown format.`);
  return entry;
}
