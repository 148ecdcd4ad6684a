import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { dayOf } from '../platform/clock/time-zone';
import { isDateOnly } from '../platform/http/input/timestamp';
import { type DateRange, type TimeRange, timeRangeOf } from '../platform/http/lists/date-filter';
import { TenantSettingsService } from './tenant-settings.service';

/** Days in the time zone of a company. */
@Injectable()
export class CompanyDays {
  constructor(
    private readonly settings: TenantSettingsService,
    private readonly clock: Clock,
  ) {}

  /** The moments that the dates of a filter include: a date without a time is a day of the company. */
  async range(tenantId: string, dates: DateRange): Promise<TimeRange> {
    const hasDay = [dates.date_from, dates.date_to].some((date) => date !== undefined && isDateOnly(date));
    return timeRangeOf(dates, hasDay ? await this.timezone(tenantId) : 'UTC');
  }

  /** YYYY-MM-DD. */
  async today(tenantId: string): Promise<string> {
    return dayOf(this.clock.now(), await this.timezone(tenantId));
  }

  private async timezone(tenantId: string): Promise<string> {
    return (await this.settings.get(tenantId)).timezone;
  }
}
