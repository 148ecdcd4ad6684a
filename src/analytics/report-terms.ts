import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { badRequest, notFound } from '../platform/http/errors/api-error';
import { Timezones } from '../tenancy/timezones';
import type { AnalyticsQuery } from './analytics.dto';
import type { CallScope } from './call-sums';
import { type Period, periodOf } from './period';

/** What a report is about, once everything that was left open has its default. */
export interface ReportTerms {
  scope: CallScope;
  period: Period;
  now: Date;
  /** Seconds within which an answer is in time. */
  threshold: number;
  /** When the views were made, if they can tell it; null for what has to be counted from the calls. */
  refreshed_at: string | null;
}

interface TermsRow {
  timezone: string;
  service_level_seconds: number;
  view_timezone: string | null;
  view_threshold: number | null;
  refreshed_at: string | null;
}

/** Older views are no longer believed: something keeps them from being made. */
const OLDEST_VIEWS = '1 hour';

@Injectable()
export class ReportTermsReader {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly timezones: Timezones,
  ) {}

  /** @throws 400 for a time zone that is not known or a period that cannot be */
  async read(tenantId: string, query: AnalyticsQuery): Promise<ReportTerms> {
    const [rows] = await this.database.readTenant<[TermsRow]>(tenantId, [
      {
        name: 'report-terms',
        text: `SELECT t.timezone, t.service_level_seconds, s.timezone AS view_timezone,
                 s.service_level_seconds AS view_threshold, s.refreshed_at
               FROM tenants t LEFT JOIN view_states s
                 ON s.tenant_id = t.id AND s.refreshed_at > now() - interval '${OLDEST_VIEWS}'
               WHERE t.id = $1`,
        values: [tenantId],
      },
    ]);
    const row = rows[0];
    if (!row) throw notFound('Tenant');
    const timezone = query.timezone ? await this.timezoneName(query.timezone) : row.timezone;
    const threshold = query.service_level_seconds ?? row.service_level_seconds;
    const now = this.clock.now();
    const period = periodOf(query, timezone, now);
    const inViews = period.whole_days && timezone === row.view_timezone && threshold === row.view_threshold;
    const { department_id, user_id } = query;
    return {
      scope: { tenant_id: tenantId, department_id, user_id },
      period,
      now,
      threshold,
      refreshed_at: inViews ? row.refreshed_at : null,
    };
  }

  private async timezoneName(timezone: string): Promise<string> {
    const name = await this.timezones.nameOf(timezone);
    if (name !== undefined) return name;
    const problem = 'timezone must be the IANA name of a time zone, such as America/Sao_Paulo';
    throw badRequest(`Bad parameter: ${problem}.`, { timezone: [problem] });
  }
}
