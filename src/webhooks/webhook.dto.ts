import { applyDecorators } from '@nestjs/common';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn } from 'class-validator';
import {
  BooleanField,
  ChoiceField,
  TextField,
  TimestampField,
  UuidField,
} from '../platform/http/input/fields';
import { pageQuery } from '../platform/http/lists/pagination';
import { SearchFilter } from '../platform/http/lists/query-filters';
import { WEBHOOK_EVENTS, type WebhookEvent } from './payloads/webhook-event-types';
import { DISABLE_REASONS, type DisableReason } from './webhook.events';

const MAX_URL_LENGTH = 2048;

const EventsField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      enum: WEBHOOK_EVENTS,
      isArray: true,
      minItems: 1,
      uniqueItems: true,
      example: ['call.completed', 'call.rated'],
    }),
    IsArray(),
    ArrayNotEmpty(),
    ArrayUnique(),
    IsIn(WEBHOOK_EVENTS, { each: true }),
  );

export class CreateWebhookDto {
  @TextField({
    max: MAX_URL_LENGTH,
    example: 'https://crm.example.com/hooks/video-calls',
    description: 'An https URL on the public internet',
  })
  url: string;

  @EventsField()
  events: WebhookEvent[];

  @TextField({ optional: true, example: 'CRM' })
  description?: string | null;

  @BooleanField({ optional: true, default: true, description: 'Whether deliveries are sent' })
  active?: boolean | null;
}

export class UpdateWebhookDto extends PartialType(CreateWebhookDto, { skipNullProperties: false }) {}

export class WebhookDto {
  @UuidField()
  id: string;

  @TextField({ max: MAX_URL_LENGTH, example: 'https://crm.example.com/hooks/video-calls' })
  url: string;

  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true, example: ['call.completed', 'call.rated'] })
  events: WebhookEvent[];

  @TextField({ optional: true, example: 'CRM' })
  description: string | null;

  @BooleanField()
  active: boolean;

  @TimestampField({
    optional: true,
    description: 'When the present failures began; null if the last attempt succeeded',
  })
  failing_since: string | null;

  @TimestampField({
    optional: true,
    example: null,
    description: 'When the service disabled the webhook; null again once it is activated',
  })
  disabled_at: string | null;

  @ChoiceField(DISABLE_REASONS, {
    optional: true,
    example: null,
    description:
      '`failing`: no delivery succeeded for three days; `gone`: the receiver answered 410; `backlog`: more than 50,000 ' +
      'deliveries were pending, or 10,000 on the plan free',
  })
  disabled_reason: DisableReason | null;

  @TimestampField({
    optional: true,
    example: null,
    description: 'Until then, deliveries are signed with the earlier secrets as well',
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
    description: 'The secret that verifies signatures; shown only once',
  })
  secret: string;
}

export const WEBHOOK_SORTABLE = {
  id: 'w.id',
  url: 'w.url',
  description: 'w.description',
  active: 'w.active',
  failing_since: 'w.failing_since',
  disabled_at: 'w.disabled_at',
  disabled_reason: 'w.disabled_reason',
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
