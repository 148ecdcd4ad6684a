import { Injectable } from '@nestjs/common';
import type { Statement } from '../platform/database/statement';

/** What a tenant uses of its plan. */
export interface UsageFigures {
  active_users: number;
  active_departments: number;
  calls_this_month: number;
  recording_storage_mb: number;
}

export type UsageFigure = keyof UsageFigures;

/**
 * The figures that a plan's view shows. Those who know the rows stand above and join here with SQL that
 * gives one integer: $1 is the tenant, $2 the beginning of the month (UTC).
 */
@Injectable()
export class Usage {
  private readonly figures = new Map<UsageFigure, string>();

  register(figure: UsageFigure, sql: string): void {
    if (this.figures.has(figure)) throw new Error(`Two figures called ${figure}`);
    this.figures.set(figure, sql);
  }

  /** All figures as one statement that gives one row. */
  statement(tenantId: string, monthStart: Date): Statement {
    const columns = [...this.figures].map(([figure, sql]) => `(${sql})::int AS ${figure}`);
    // Some figures may need just one of the two, or neither.
    columns.push('$1::uuid AS tenant_id', '$2::timestamptz AS month_start');
    return { name: 'plan-usage', text: `SELECT ${columns.join(', ')}`, values: [tenantId, monthStart] };
  }
}
