import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { isTimezone } from './settings.rules';

/** The time zones that both the runtime and the database know: times are told here and there. */
@Injectable()
export class Timezones {
  private names: Promise<Map<string, string>> | undefined;

  constructor(private readonly database: Database) {}

  /**
   * @param name an IANA name in any case
   * @returns the name as PostgreSQL spells it, or undefined for a zone that is not known
   */
  async nameOf(name: string): Promise<string | undefined> {
    const known = (await this.known()).get(name.toLowerCase());
    return known !== undefined && isTimezone(known) ? known : undefined;
  }

  /** Read once: PostgreSQL opens six hundred files for it. */
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
