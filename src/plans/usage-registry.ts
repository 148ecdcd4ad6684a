import { Injectable } from '@nestjs/common';
import type { Statement } from '../platform/database/statement';

/** How much a tenant uses of its plan. */
export interface UsageFigures {
  active_users: number;
  active_departments: number;
  active_links: number;
  calls_this_month: number;
  recording_storage_mb: number;
  storage_mb: number;
}

export type UsageFigure = keyof UsageFigures;

/**
 * The usage figures of a tenant. Each context that owns the counted rows registers its figure as an SQL
 * query that returns one integer: $1 is the tenant's id, $2 the start of the month (UTC), $3 the current time.
 */
@Injectable()
export class UsageRegistry {
  private readonly figures = new Map<UsageFigure, string | (() => string)>();

  /**
   * @param sql a function is called when the figures are read: what it counts can still be registered until then
   * @throws Error if the figure is registered already
   */
  register(figure: UsageFigure, sql: string | (() => string)): void {
    if (this.figures.has(figure)) throw new Error(`The usage figure ${figure} is registered twice`);
    this.figures.set(figure, sql);
  }

  /** One statement that returns all figures as one row. */
  statement(tenantId: string, monthStart: Date, now: Date): Statement {
    const columns = [...this.figures].map(
      ([figure, sql]) => `(${typeof sql === 'string' ? sql : sql()})::int AS ${figure}`,
    );
    // PostgreSQL cannot infer the type of a parameter that no figure uses.
    columns.push('$1::uuid AS tenant_id', '$2::timestamptz AS month_start', '$3::timestamptz AS now');
    return { text: `SELECT ${columns.join(', ')}`, values: [tenantId, monthStart, now] };
  }
}
