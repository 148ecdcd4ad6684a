import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { IANAZone } from 'luxon';
import { isTimezone } from '../platform/clock/time-zone';
import { Database } from '../platform/database/database';
import { storedOffsets, ZONES_VERSION } from './stored-offsets';

/** The default of a company's `timezone`. */
const DEFAULT_TIMEZONE = 'America/Sao_Paulo';

/** Luxon keeps a format for each spelling of the 600 zones. */
const MAX_SPELLINGS = 1000;

/**
 * The time zones that Node knows. Their offsets are stored, because statements compute days and hours, too, and the zones
 * of PostgreSQL can be of another version.
 */
@Injectable()
export class Timezones implements OnApplicationBootstrap {
  /** By name in lower case: a name is taken in any case, and storing it takes some 50 ms of the event loop. */
  private readonly stored = new Map<string, Promise<void>>();
  private readonly spellings = new Set<string>();

  constructor(private readonly database: Database) {}

  /** Stores the offsets that a former version of Node's zones, or none, has stored. */
  async onApplicationBootstrap(): Promise<void> {
    const [rows] = await this.database.readSystem<[{ name: string }]>([
      {
        text: `SELECT name FROM timezone_offsets WHERE version < $1
          UNION SELECT lower(used.zone) FROM (SELECT timezone AS zone FROM tenants
            UNION SELECT opening_hours ->> 'timezone' FROM departments UNION SELECT $2) AS used
          WHERE used.zone IS NOT NULL AND NOT EXISTS (SELECT FROM timezone_offsets o WHERE o.name = lower(used.zone))`,
        values: [ZONES_VERSION, DEFAULT_TIMEZONE],
      },
    ]);
    for (const { name } of rows) {
      if (isTimezone(name)) await this.store(name);
      // Each takes some 50 ms.
      await setImmediate();
    }
  }

  /**
   * Whether Node knows the zone; statements then know its offsets, too.
   * @param name an IANA name in any case
   */
  async isKnown(name: string): Promise<boolean> {
    if (!this.spellings.has(name)) {
      if (!isTimezone(name)) return false;
      if (this.spellings.size >= MAX_SPELLINGS) {
        this.spellings.clear();
        IANAZone.resetCache();
      }
      this.spellings.add(name);
    }
    await this.storeOnce(name.toLowerCase());
    return true;
  }

  private async storeOnce(name: string): Promise<void> {
    const storing = this.stored.get(name) ?? this.store(name);
    this.stored.set(name, storing);
    try {
      await storing;
    } catch (error) {
      this.stored.delete(name);
      throw error;
    }
  }

  private async store(name: string): Promise<void> {
    const { text, values } = storedOffsets(name);
    await this.database.system((tx) => tx.query(text, values));
  }
}
