import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsOptional } from 'class-validator';
import { DateFilter } from '../platform/http/date-filter';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../platform/http/fields';
import { pageQuery } from '../platform/http/pagination';
import { DELIVERY_STATUSES, type DeliveryStatus, type SwitchOffReason } from './delivery.rules';
import { WEBHOOK_EVENTS, type WebhookEvent } from './payloads/webhook-events';
import { SearchFilter } from '../platform/http/query-filters';

const LONGEST_URL = 2048;

function EventsField(): PropertyDecorator {
  return (target, key) => {
    ApiProperty({
      enum: WEBHOOK_EVENTS,
      isArray: true,
      minItems: 1,
      uniqueItems: true,
      example: ['call.completed', 'call.rated'],
    })(target, key);
    IsArray()(target, key);
    ArrayNotEmpty()(target, key);
    ArrayUnique()(target, key);
    IsIn(WEBHOOK_EVENTS, { each: true, message: '$property must each be an event that there is' })(
      target,
      key,
    );
  };
}

export class CreateWebhookDto {
  @TextField({
    max: LONGEST_URL,
    example: 'https://crm.example.com/hooks/video-calls',
    description: 'An https address in the public internet',
  })
  url: string;

  @EventsField()
  events: WebhookEvent[];

  @TextField({ optional: true, example: 'CRM' })
  description?: string | null;

  @BooleanField({ optional: true, description: 'Whether it is told anything; true by default' })
  active?: boolean | null;
}

export class UpdateWebhookDto extends PartialType(CreateWebhookDto) {}

export class WebhookDto {
  @UuidField()
  id: string;

  @TextField({ max: LONGEST_URL, example: 'https://crm.example.com/hooks/video-calls' })
  url: string;

  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true, example: ['call.completed', 'call.rated'] })
  events: WebhookEvent[];

  @TextField({ optional: true, example: 'CRM' })
  description: string | null;

  @BooleanField()
  active: boolean;

  @TimestampField({
    optional: true,
    description: 'Since when no delivery has succeeded; null if the last did',
  })
  failing_since: string | null;

  @TimestampField({
    optional: true,
    example: null,
    description: 'When the service switched it off; activating it again makes this null',
  })
  switched_off_at: string | null;

  @ChoiceField(['failing', 'gone'], {
    optional: true,
    example: null,
    description: '`failing`: for three days nothing was taken; `gone`: it answered 410',
  })
  switched_off_reason: SwitchOffReason | null;

  @TimestampField({
    optional: true,
    example: null,
    description: 'Until when deliveries are signed with earlier secrets, too',
  })
  previous_secret_expires_at: string | null;

  @TimestampField()
  inserted_at: string;

  @TimestampField()
  updated_at: string;
}

export class WebhookWithSecretDto extends WebhookDto {
  @TextField({
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    description: 'What signatures are checked with; shown this once',
  })
  secret: string;
}

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
    description: 'Milliseconds; null where no result is known: it is under way, or was cut short',
  })
  duration_ms: number | null;

  @TimestampField()
  inserted_at: string;
}

export class DeliveryDto {
  @UuidField({ description: 'The webhook-id of every try' })
  id: string;

  @TextField({ example: 'call.completed' })
  event: string;

  @ChoiceField(DELIVERY_STATUSES, { example: 'delivered' })
  status: DeliveryStatus;

  @IntegerField({ example: 1, description: 'Tries so far, with one that is under way' })
  attempts: number;

  @IntegerField({ optional: true, example: 200, description: 'HTTP status of the last try that is over' })
  response_status: number | null;

  @TextField({ optional: true, max: 1024, example: 'ok', description: 'Its first 1 KiB' })
  response_body: string | null;

  @TextField({ optional: true, example: null, description: 'What kept the last try from an answer' })
  error: string | null;

  @IntegerField({ optional: true, example: 84, description: 'Of the last try, milliseconds' })
  duration_ms: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The body that is sent; see the webhooks of this reference',
    example: { type: 'call.completed', timestamp: '2026-01-31T12:00:00.000Z', data: {} },
  })
  payload: object;

  @TimestampField({ optional: true, example: null })
  next_attempt_at: string | null;

  @TimestampField()
  inserted_at: string;
}

export class DeliveryDetailsDto extends DeliveryDto {
  @ObjectField(() => AttemptDto, { list: true, description: 'Every try, oldest first' })
  tries: AttemptDto[];
}

export class ReplayDto {
  @TimestampField({ description: 'Deliveries of events from here on' })
  from: string;

  @TimestampField({ optional: true, description: 'Up to here; now by default' })
  to?: string | null;

  @ChoiceField(['failed', 'delivered'], {
    optional: true,
    example: 'failed',
    description: 'Only those; left out: both',
  })
  status?: 'failed' | 'delivered' | null;
}

export class ReplayedDto {
  @IntegerField({ example: 12, description: 'How many deliveries are made again' })
  count: number;
}

export const WEBHOOK_SORTABLE = {
  id: 'w.id',
  url: 'w.url',
  description: 'w.description',
  active: 'w.active',
  failing_since: 'w.failing_since',
  switched_off_at: 'w.switched_off_at',
  switched_off_reason: 'w.switched_off_reason',
  previous_secret_expires_at: 'w.previous_secret_expires_at',
  inserted_at: 'w.inserted_at',
  updated_at: 'w.updated_at',
} as const;

export class WebhookListQuery extends pageQuery(
  Object.keys(WEBHOOK_SORTABLE) as (keyof typeof WEBHOOK_SORTABLE)[],
  { sort_by: 'inserted_at', sort_order: 'desc' },
) {
  @SearchFilter('Part of url or description')
  search?: string;
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
  @ApiPropertyOptional({ enum: DELIVERY_STATUSES })
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @ApiPropertyOptional({ enum: [...WEBHOOK_EVENTS, 'webhook.test'] })
  @IsOptional()
  @IsIn([...WEBHOOK_EVENTS, 'webhook.test'])
  event?: string;

  @DateFilter('inserted_at from here on')
  date_from?: string;

  @DateFilter('inserted_at up to here; a date without a time is included whole')
  date_to?: string;
}
