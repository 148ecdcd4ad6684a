import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, MaxLength, Min } from 'class-validator';
import { DateFilter } from '../platform/http/lists/date-filter';
import { parseDecimal } from '../platform/http/lists/pagination';
import { IdFilter, QueryFilter } from '../platform/http/lists/query-filters';
import { type Interval, INTERVALS, MAX_DAYS } from './period';

const DAY_SECONDS = 86_400;

export class AnalyticsQuery {
  @DateFilter(`Calls since this time; 30 days in all by default, ${MAX_DAYS} at most`, 'a day in timezone')
  date_from?: string;

  @DateFilter('Calls until this time, by default today; the whole day is included', 'a day in timezone')
  date_to?: string;

  @IdFilter('Only calls of this department')
  department_id?: string;

  @IdFilter('Only calls of this agent')
  user_id?: string;

  @QueryFilter(
    {
      example: 'America/Sao_Paulo',
      maxLength: 64,
      description: "The IANA name of the time zone of days and hours; by default the company's",
    },
    MaxLength(64),
  )
  timezone?: string;

  @ApiPropertyOptional({
    type: 'integer',
    example: 20,
    minimum: 0,
    maximum: DAY_SECONDS,
    description:
      "Seconds within which a call must be answered to be in time; by default the company's setting",
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === '' ? undefined : parseDecimal(value)))
  @IsInt()
  @Min(0)
  @Max(DAY_SECONDS)
  service_level_seconds?: number;
}

export class TrendsQuery extends AnalyticsQuery {
  @QueryFilter(
    { enum: INTERVALS, default: 'day', description: 'Weeks are those of ISO 8601' },
    IsIn(INTERVALS),
  )
  interval?: Interval;
}
