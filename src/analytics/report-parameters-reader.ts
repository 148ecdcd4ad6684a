import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { badParameters, notFound } from '../platform/http/errors/api-error';
import { Timezones } from '../tenancy/timezones';
import type { AnalyticsQuery } from './analytics-query.dto';
import type { CallScope } from './call-sums';
import { type Period, parsePeriod } from './period';

/** The parameters of a report, with defaults filled in. */
export interface ReportParameters {
  scope: CallScope;
  period: Period;
  now: Date;
  /** Seconds within which a call must be answered to be in time. */
  threshold: number;
  /** When the views were refreshed, if they can answer the report; null if it is computed from the calls. */
  refreshed_at: string | null;
}

interface SettingsRow {
  timezone: string;
  service_level_seconds: number;
  view_timezone: string | null;
  view_threshold: number | null;
  refreshed_at: string | null;
}

/** Older views are not used, since their refresh must be failing. */
const MAX_VIEW_AGE = '1 hour';

/** After the end of a period: until then its calls change. */
const SETTLING_MS = 24 * 60 * 60 * 1000;

/** Reads the parameters of a report from the query and the tenant's settings. */
@Injectable()
export class ReportParametersReader {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly timezones: Timezones,
  ) {}

  /** @throws 400 for an unknown time zone or an invalid period */
  async read(tenantId: string, query: AnalyticsQuery): Promise<ReportParameters> {
    const [rows] = await this.database.readTenant<[SettingsRow]>(tenantId, [
      {
        text: `SELECT t.timezone, t.service_level_seconds, s.timezone AS view_timezone,
                 s.service_level_seconds AS view_threshold, s.refreshed_at
               FROM tenants t LEFT JOIN timezone_offsets z ON z.name = lower(t.timezone) LEFT JOIN view_states s
                 ON s.tenant_id = t.id AND s.refreshed_at > GREATEST(z.stored_at, now() - interval '${MAX_VIEW_AGE}')
               WHERE t.id = $1`,
        values: [tenantId],
      },
    ]);
    const row = rows[0];
    if (!row) throw notFound('Tenant');
    const timezone = query.timezone || row.timezone;
    await this.ensureKnown(timezone);
    const threshold = query.service_level_seconds ?? row.service_level_seconds;
    const now = this.clock.now();
    const period = parsePeriod(query, timezone, now);
    const canUseViews =
      period.is_whole_days &&
      timezone.toLowerCase() === row.view_timezone?.toLowerCase() &&
      threshold === row.view_threshold &&
      // Its calls have ended and been rated, so that reports from views and from calls, which are read together, have the same.
      period.until.getTime() <= new Date(row.refreshed_at ?? 0).getTime() - SETTLING_MS;
    const { department_id, user_id } = query;
    return {
      scope: { tenant_id: tenantId, department_id, user_id },
      period,
      now,
      threshold,
      refreshed_at: canUseViews ? row.refreshed_at : null,
    };
  }

  private async ensureKnown(timezone: string): Promise<void> {
    if (await this.timezones.isKnown(timezone)) return;
    throw badParameters({ timezone: ['must be the IANA name of a time zone, such as America/Sao_Paulo'] });
  }
}
