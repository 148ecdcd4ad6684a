import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { IANAZone } from 'luxon';
import { isTimezone, ZONES_VERSION } from '../platform/clock/time-zone';
import { Database } from '../platform/database/database';
import { storedOffsets } from '../platform/clock/zone-offsets';

/** The default of a company's `timezone`. */
const DEFAULT_TIMEZONE = 'America/Sao_Paulo';

/** There are 600 zones, but names are taken in any case, and luxon keeps a format for each spelling. */
const MAX_SPELLINGS = 1000;

/**
 * The time zones that Node knows. Their offsets are stored, because statements compute days and hours, too, and the zones
 * of PostgreSQL can be of another version.
 */
@Injectable()
export class Timezones implements OnApplicationBootstrap {
  private readonly stored = new Set<string>();

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
    if (this.stored.has(name)) return true;
    if (!isTimezone(name)) return false;
    await this.store(name.toLowerCase());
    if (this.stored.size >= MAX_SPELLINGS) {
      this.stored.clear();
      IANAZone.resetCache();
    }
    this.stored.add(name);
    return true;
  }

  private async store(name: string): Promise<void> {
    const { text, values } = storedOffsets(name);
    await this.database.system((tx) => tx.query(text, values));
  }
}
