import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { notFound } from '../../platform/http/errors/api-error';
import type { DepartmentHoursDto, HoursQuery, OpenPeriodDto } from './department-hours.dto';
import { parseHoursRange } from './hours-range';
import { type OpeningHours, zonedHours } from './opening-hours';
import { openPeriods } from './opening-hours.rules';

/** Reads when a department is open. */
@Injectable()
export class DepartmentHours {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws 404, 400 for an invalid range */
  async between(tenantId: string, id: string, query: HoursQuery): Promise<DepartmentHoursDto> {
    const [[row]] = await this.database.readTenant<
      [{ opening_hours: OpeningHours | null; timezone: string }]
    >(tenantId, [
      {
        text: `SELECT d.opening_hours, t.timezone FROM departments d JOIN tenants t ON t.id = d.tenant_id
          WHERE d.tenant_id = $1 AND d.id = $2`,
        values: [tenantId, id],
      },
    ]);
    if (!row) throw notFound('Department');
    const hours = row.opening_hours && zonedHours(row.opening_hours, row.timezone);
    const timezone = hours?.timezone ?? row.timezone;
    const { from, to } = parseHoursRange(query, timezone, this.clock.now());
    const periods = hours ? openPeriods(hours, from, to) : [{ opens_at: from, closes_at: to }];
    return { timezone, intervals: periods.map(isoPeriod) };
  }
}

const isoPeriod = ({ opens_at, closes_at }: { opens_at: Date; closes_at: Date }): OpenPeriodDto => ({
  opens_at: opens_at.toISOString(),
  closes_at: closes_at.toISOString(),
});
