import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { largeReadPlaces } from '../platform/database/connections/large-reads';
import { Semaphore } from '../platform/database/connections/semaphore';
import { CopyOut, type CsvSeparator } from './copy-out';
import { Database } from '../platform/database/database';
import type { Statement } from '../platform/database/statement';
import { EventBus } from '../platform/events/event-bus';
import { CONFIG, type Config } from '../platform/config/config';
import type { Principal } from '../platform/access/principal';
import { DataExported, type ExportKind } from './export.events';

export interface Export {
  kind: ExportKind;
  statement: Statement;
  /** The names of the filters in the statement. */
  filters: string[];
  separator: CsvSeparator;
  /** Whether the file begins with the byte order mark, by which Excel recognises UTF-8. */
  has_bom: boolean;
}

const BOM = Buffer.from('\ufeff');

/** Exports whole lists as CSV. */
@Injectable()
export class ExportsService {
  /** One export of a company at a time. Exports may take minutes, which lists and reports do not wait for. */
  readonly places: Semaphore;

  constructor(
    private readonly database: Database,
    private readonly copies: CopyOut,
    private readonly events: EventBus,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.places = new Semaphore({
      places: largeReadPlaces(config),
      perOwner: 1,
      busyMessage: 'Other exports are in progress.',
    });
  }

  /**
   * The rows as CSV. Waits until another export may start, and records the export before it returns the first row.
   * @throws 503 when it cannot start in time; the signal's reason
   */
  async *rows(
    { tenant_id }: Principal,
    { kind, statement, filters, separator, has_bom }: Export,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, void> {
    const release = await this.places.acquire({ owner: tenant_id, signal });
    try {
      await this.database.tenant(tenant_id, (tx) => {
        const now = this.clock.now().toISOString();
        return this.events.record(tx, new DataExported(tenant_id, now, kind, filters));
      });
      let start = has_bom ? BOM : Buffer.of();
      for await (const chunk of this.copies.csv(tenant_id, statement, separator, signal)) {
        yield start.length > 0 ? Buffer.concat([start, chunk]) : chunk;
        start = Buffer.of();
      }
    } finally {
      release();
    }
  }
}
