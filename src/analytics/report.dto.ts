import { ApiProperty } from '@nestjs/swagger';
import {
  IntegerField,
  NumberField,
  ObjectField,
  TextField,
  TimestampField,
} from '../platform/http/input/fields';
import type { CallFigures } from './figures';

export class ReportMeta {
  @TimestampField({ description: 'The start of the period' })
  from: string;

  @TimestampField({ description: 'The end of the period, exclusive' })
  until: string;

  @TextField({ example: 'America/Sao_Paulo' })
  timezone: string;

  @IntegerField({ example: 20, description: 'Seconds within which a call had to be answered to be in time' })
  service_level_seconds: number;

  @TimestampField({
    optional: true,
    description:
      'When the materialized views of this report were refreshed; null if it was computed from the calls themselves',
  })
  refreshed_at: string | null;
}

export class RatingsDto {
  @IntegerField({ example: 0 })
  1: number;

  @IntegerField({ example: 1 })
  2: number;

  @IntegerField({ example: 2 })
  3: number;

  @IntegerField({ example: 9 })
  4: number;

  @IntegerField({ example: 21 })
  5: number;
}

export class CallFiguresDto implements CallFigures {
  @IntegerField({ example: 120, description: 'Offered: all calls' })
  total_calls: number;

  @IntegerField({ example: 2 })
  queued_calls: number;

  @IntegerField({ example: 1 })
  assigned_calls: number;

  @IntegerField({ example: 3 })
  active_calls: number;

  @IntegerField({ example: 97 })
  completed_calls: number;

  @IntegerField({ example: 4 })
  missed_calls: number;

  @IntegerField({ example: 5 })
  cancelled_calls: number;

  @IntegerField({ example: 8 })
  abandoned_calls: number;

  @IntegerField({
    example: 2,
    description: 'Of cancelled_calls: the customer left the line after the seconds of the service level',
  })
  left_calls: number;

  @IntegerField({
    example: 1,
    description: 'Of completed_calls: they ended because a connection was lost and not restored in time',
  })
  dropped_calls: number;

  @IntegerField({ example: 100, description: 'Calls that an agent started, whatever followed' })
  answered_calls: number;

  @NumberField({
    optional: true,
    example: 34.5,
    description: 'Average speed of answer (ASA): seconds that answered calls waited',
  })
  average_wait_time: number | null;

  @IntegerField({
    optional: true,
    example: 212,
    description: 'Seconds; without calls that are still waiting',
  })
  longest_wait_time: number | null;

  @NumberField({
    optional: true,
    example: 11.2,
    description: 'Average seconds by which the wait of answered calls differed from the estimate',
  })
  wait_estimate_error: number | null;

  @NumberField({
    optional: true,
    example: 251.8,
    description: 'Average seconds from start to end',
  })
  average_duration: number | null;

  @NumberField({
    optional: true,
    example: 263.4,
    description:
      'Average handle time (AHT): seconds that agents spent on an answered call, with the wrap-up that followed',
  })
  average_handle_time: number | null;

  @NumberField({
    optional: true,
    example: 0.8416,
    description: 'Answered in time ÷ (answered + abandoned after that time), 0 to 1',
  })
  service_level: number | null;

  @NumberField({
    optional: true,
    example: 0.0833,
    description: '(abandoned + left after the seconds of the service level) ÷ offered, 0 to 1',
  })
  abandonment_rate: number | null;

  @NumberField({ optional: true, example: 4.52 })
  average_rating: number | null;

  @ObjectField(() => RatingsDto, { description: 'The number of calls with each rating' })
  ratings: RatingsDto;
}

export class CallbackFiguresDto {
  @IntegerField({
    example: 9,
    description: 'Calls whose customers asked to be called back',
  })
  requested: number;

  @IntegerField({ example: 6 })
  returned: number;

  @IntegerField({
    example: 1,
    description: 'The customers did not come back in time',
  })
  expired: number;
}

export class OverviewDto extends CallFiguresDto {
  @ObjectField(() => CallbackFiguresDto)
  callbacks: CallbackFiguresDto;

  @IntegerField({ example: 7, description: 'Calls that also stood in the line of another department' })
  overflowed: number;

  @IntegerField({ example: 4, description: 'Agents who are online or in a call now' })
  online_agents: number;

  @IntegerField({
    optional: true,
    example: 48,
    description:
      'Longest time in seconds that a call has waited so far, since the join or a transfer to its department',
  })
  current_longest_wait: number | null;

  @ObjectField(() => CallFiguresDto, {
    description: 'The same figures for the preceding period of equal length',
  })
  previous: CallFiguresDto;
}

export class HourReportDto extends CallFiguresDto {
  @IntegerField({ example: 1, min: 1, max: 7, description: 'ISO 8601: 1 is Monday, 7 is Sunday' })
  weekday: number;

  @IntegerField({ example: 9, min: 0, max: 23 })
  hour: number;

  @NumberField({
    optional: true,
    example: 12.25,
    description: 'Average calls in this hour of such a day so far; null if there was no such day',
  })
  average_calls: number | null;
}

export class TrendReportDto extends CallFiguresDto {
  @ApiProperty({
    type: String,
    format: 'date',
    example: '2026-01-26',
    description: 'The first day of the day, week or month',
  })
  period: string;
}

export class ViewsRefreshDto {
  @TimestampField({ description: 'The views contain everything up to this time' })
  refreshed_at: string;
}
