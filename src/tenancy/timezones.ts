import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { isTimezone } from './tenant-settings.rules';

/** The time zones that both the JavaScript runtime and PostgreSQL know, since both convert times. */
@Injectable()
export class Timezones {
  private names: Promise<Map<string, string>> | undefined;

  constructor(private readonly database: Database) {}

  /**
   * @param name an IANA name in any case
   * @returns the name as PostgreSQL spells it, or undefined for an unknown zone
   */
  async nameOf(name: string): Promise<string | undefined> {
    const known = (await this.known()).get(name.toLowerCase());
    return known !== undefined && isTimezone(known) ? known : undefined;
  }

  /** Reads the names once, since PostgreSQL opens about six hundred files to list them. */
  private known(): Promise<Map<string, string>> {
    this.names ??= this.read().catch((error: unknown) => {
      this.names = undefined;
      throw error;
    });
    return this.names;
  }

  private async read(): Promise<Map<string, string>> {
    const [rows] = await this.database.readSystem<[{ name: string }]>([
      { text: 'SELECT name FROM pg_timezone_names' },
    ]);
    return new Map(rows.map(({ name }) => [name.toLowerCase(), name]));
  }
}
