import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { ConnectionLimiter } from '../platform/database/connection-limiter';
import { CopyOut } from '../platform/database/copy-out';
import { Database } from '../platform/database/database';
import type { Statement } from '../platform/database/statement';
import { EventBus } from '../platform/events/event-bus';
import type { Principal } from '../platform/access/principal';
import { DataExported, type ExportKind } from './export.events';

export interface Export {
  kind: ExportKind;
  statement: Statement;
  /** Names of the filters in it. */
  filters: string[];
}

/** Whole lists as CSV, by those who may read the lists. */
@Injectable()
export class ExportsService {
  private readonly turns = new Map<string, ConnectionLimiter>();

  constructor(
    private readonly database: Database,
    private readonly share: ConnectionLimiter,
    private readonly copies: CopyOut,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** For example calls-2026-01-31.csv, by the day in UTC. */
  filename(kind: ExportKind): string {
    return `${kind}-${this.clock.now().toISOString().slice(0, 10)}.csv`;
  }

  /**
   * The rows as CSV, once there is a place for another export; the audit log knows of it before the first of them.
   * @throws 503 when no place was to be had in time, the signal's reason
   */
  async *rows(
    { tenant_id }: Principal,
    { kind, statement, filters }: Export,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, void> {
    const leave = await this.turnOf(tenant_id).acquire(signal);
    const giveBack = await this.share.acquire(signal).catch((error: unknown) => {
      leave();
      throw error;
    });
    try {
      await this.database.tenant(tenant_id, (tx) => {
        const now = this.clock.now().toISOString();
        return this.events.record(tx, new DataExported(tenant_id, now, kind, filters));
      });
      yield* this.copies.csv(tenant_id, statement, signal);
    } finally {
      giveBack();
      leave();
    }
  }

  /** One export of a company at a time: slow ones of one shall not hold every place. */
  private turnOf(tenantId: string): ConnectionLimiter {
    const known = this.turns.get(tenantId);
    if (known) return known;
    const turn = new ConnectionLimiter({ databasePoolSize: 1 });
    this.turns.set(tenantId, turn);
    return turn;
  }
}
