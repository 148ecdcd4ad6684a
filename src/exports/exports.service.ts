import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { ConnectionLimiter } from '../platform/database/connections/connection-limiter';
import { CopyOut } from '../platform/database/copy-out';
import { Database } from '../platform/database/database';
import type { Statement } from '../platform/database/statement';
import { EventBus } from '../platform/events/event-bus';
import type { Principal } from '../platform/access/principal';
import { DataExported, type ExportKind } from './export.events';

export interface Export {
  kind: ExportKind;
  statement: Statement;
  /** The names of the filters in the statement. */
  filters: string[];
}

/** Exports whole lists as CSV. */
@Injectable()
export class ExportsService {
  private readonly tenantLimiters = new Map<string, ConnectionLimiter>();

  constructor(
    private readonly database: Database,
    private readonly connections: ConnectionLimiter,
    private readonly copies: CopyOut,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** For example calls-2026-01-31.csv. The date is today's in UTC. */
  filename(kind: ExportKind): string {
    return `${kind}-${this.clock.now().toISOString().slice(0, 10)}.csv`;
  }

  /**
   * The rows as CSV. Waits until another export may start, and records the export before it returns the first row.
   * @throws 503 when it cannot start in time; the signal's reason
   */
  async *rows(
    { tenant_id }: Principal,
    { kind, statement, filters }: Export,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, void> {
    const releaseTenant = await this.limiterOf(tenant_id).acquire(signal);
    const releaseConnection = await this.connections.acquire(signal).catch((error: unknown) => {
      releaseTenant();
      throw error;
    });
    try {
      await this.database.tenant(tenant_id, (tx) => {
        const now = this.clock.now().toISOString();
        return this.events.record(tx, new DataExported(tenant_id, now, kind, filters));
      });
      yield* this.copies.csv(tenant_id, statement, signal);
    } finally {
      releaseConnection();
      releaseTenant();
    }
  }

  /** Limits a tenant to one export at a time, so that its slow exports do not block those of other tenants. */
  private limiterOf(tenantId: string): ConnectionLimiter {
    const known = this.tenantLimiters.get(tenantId);
    if (known) return known;
    const limiter = new ConnectionLimiter({ databasePoolSize: 1 });
    this.tenantLimiters.set(tenantId, limiter);
    return limiter;
  }
}
