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
import type { DisableReason } from './deliveries/delivery.rules';
import { WEBHOOK_EVENTS, type WebhookEvent } from './payloads/webhook-events';

const LONGEST_URL = 2048;

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
    IsIn(WEBHOOK_EVENTS, { each: true, message: '$property must each be an event that there is' }),
  );

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

export class UpdateWebhookDto extends PartialType(CreateWebhookDto, { skipNullProperties: false }) {}

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
  switched_off_reason: DisableReason | null;

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
