import { ApiProperty } from '@nestjs/swagger';
import { DateFilter } from '../../platform/http/lists/date-filter';
import { ChoiceFilter } from '../../platform/http/lists/query-filters';
import {
  ChoiceField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
  TimestampInputField,
  UuidField,
} from '../../platform/http/input/fields';
import { pageQuery } from '../../platform/http/lists/pagination';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.rules';
import { TEST_EVENT, WEBHOOK_EVENTS } from '../payloads/webhook-event-types';

const DELIVERED_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT];

export class AttemptDto {
  @IntegerField({ min: 1, example: 1 })
  number: number;

  @IntegerField({ optional: true, example: 503 })
  response_status: number | null;

  @TextField({ optional: true, max: 1024, example: 'Down for maintenance' })
  response_body: string | null;

  @TextField({ optional: true, example: null })
  error: string | null;

  @IntegerField({
    optional: true,
    example: 84,
    description: 'Milliseconds; null without a result: the attempt is in flight or was aborted',
  })
  duration_ms: number | null;

  @TimestampField()
  inserted_at: string;
}

export class DeliveryDto {
  @UuidField({ description: 'The `webhook-id` header of every attempt' })
  id: string;

  @TextField({ example: 'call.completed' })
  event: string;

  @ChoiceField(DELIVERY_STATUSES, { example: 'delivered' })
  status: DeliveryStatus;

  @IntegerField({ example: 1, description: 'Attempts so far, including one in flight' })
  attempts: number;

  @IntegerField({
    optional: true,
    example: 200,
    description: 'HTTP status of the last attempt with a result',
  })
  response_status: number | null;

  @TextField({ optional: true, max: 1024, example: 'ok', description: 'The first KiB of the response' })
  response_body: string | null;

  @TextField({ optional: true, example: null, description: 'Why the last attempt got no response' })
  error: string | null;

  @IntegerField({ optional: true, example: 84, description: 'Of the last attempt, in milliseconds' })
  duration_ms: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The request body; see the webhooks of this reference',
    example: { type: 'call.completed', timestamp: '2026-01-31T12:00:00.000Z', data: {} },
  })
  payload: object;

  @TimestampField({ optional: true, example: null })
  next_attempt_at: string | null;

  @TimestampField()
  inserted_at: string;
}

export class DeliveryDetailsDto extends DeliveryDto {
  @ObjectField(() => AttemptDto, { list: true, description: 'Every attempt, oldest first' })
  attempt_log: AttemptDto[];
}

export class ReplayDto {
  @TimestampInputField({
    example: '2026-01-31T09:00:00-03:00',
    description: 'Deliveries of events since this time, or since the start of this day of the company',
  })
  from: string;

  @TimestampInputField({
    optional: true,
    example: '2026-02-01T09:00:00-03:00',
    description: 'Until this time, or the end of this day of the company; at most, and by default, until now',
  })
  to?: string | null;

  @ChoiceField(['failed', 'delivered'], {
    optional: true,
    example: 'failed',
    description: 'Only deliveries with this status; both by default',
  })
  status?: 'failed' | 'delivered' | null;
}

export class ReplayResultDto {
  @IntegerField({ example: 12, description: 'The number of deliveries that a job sends again' })
  count: number;
}

export const DELIVERY_SORTABLE = {
  id: 'd.id',
  event: 'd.event',
  status: 'd.status',
  attempts: 'd.attempts',
  response_status: 'd.response_status',
  response_body: 'd.response_body',
  error: 'd.error',
  duration_ms: 'd.duration_ms',
  next_attempt_at: 'd.next_attempt_at',
  inserted_at: 'd.inserted_at',
} as const;

export class DeliveryListQuery extends pageQuery(
  Object.keys(DELIVERY_SORTABLE) as (keyof typeof DELIVERY_SORTABLE)[],
  { sort_by: 'inserted_at', sort_order: 'desc' },
) {
  @ChoiceFilter(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @ChoiceFilter(DELIVERED_EVENTS)
  event?: string;

  @DateFilter('Earliest inserted_at')
  date_from?: string;

  @DateFilter('Latest inserted_at; the whole day is included')
  date_to?: string;
}
