import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { ObjectNotFoundError, STORAGE, type Storage } from './storage';

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
   * Adds an entry, or its receipt to an entry without one. Otherwise does nothing if it is there already. Call it after the
   * erasure was committed, again after a failure.
   * @throws StorageUnavailableError
   */
  async append(entry: ErasureEntry): Promise<void> {
    const key = keyOf(entry);
    const found = await this.find(key);
    if (found && (found.receipt !== null || entry.receipt === null)) return;
    // An interrupted write may have left a part, over which the storage does not write. An entry is never deleted: it is
    // replaced at once, and a part makes the first attempt fail.
    if (!found) await this.storage.delete(key);
    const content = Buffer.from(JSON.stringify({ version: VERSION, ...entry }));
    await this.storage.write(key, Readable.from([content], { objectMode: false }));
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
   * All entries, the oldest first.
   * @throws StorageUnavailableError; Error for an entry that this version cannot read
   */
  async *entries(): AsyncGenerator<ErasureEntry> {
    for await (const { key, is_partial } of this.storage.list(FOLDER)) {
      if (!is_partial) yield parse(key, await json(await this.storage.read(key)));
    }
  }

  private async find(key: string): Promise<ErasureEntry | undefined> {
    try {
      return parse(key, await json(await this.storage.read(key)));
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return undefined;
      throw error;
    }
  }
}

/** Sorted by time. Keys have no capitals, colons and dots. */
const keyOf = ({ id, erased_at }: ErasureEntry): string =>
  `${FOLDER}${erased_at.toLowerCase().replace(/[:.]/g, '-')}-${id}`;

function parse(key: string, content: unknown): ErasureEntry {
  const { version, ...entry } = content as ErasureEntry & { version?: number };
  if (version !== VERSION) throw new Error(`The entry ${key} of the erasure journal has an unknown format.`);
  return entry;
}
