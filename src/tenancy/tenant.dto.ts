import { ApiProperty, PartialType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, Length } from 'class-validator';
import {
  BooleanField,
  IntegerField,
  PatternField,
  TextField,
  TimestampField,
  UuidField,
} from '../platform/http/input/fields';
import {
  MAX_PAUSE_REASONS,
  MAX_PRIVACY_URL_LENGTH,
  MAX_SITES,
  MISSED_OFFER,
  NOT_TAKING_CALLS,
} from './tenant-settings.rules';

const COLOR = /^#[0-9a-f]{6}$/i;
const MAX_PAUSE_REASON_LENGTH = 100;

class TenantSettingsFields {
  @TextField({ example: 'Padaria Central' })
  name: string;

  @TextField({
    max: 2000,
    optional: true,
    example: 'https://example.com/logo.png',
    description: 'Null for none; an https URL replaces an uploaded logo',
  })
  logo_url: string | null;

  @PatternField(COLOR, 'must be a color in the form #rrggbb', {
    example: '#2563eb',
  })
  primary_color: string;

  @TextField({ max: 100, example: 'pt-BR', description: 'BCP 47' })
  language: string;

  @TextField({
    max: 100,
    example: 'America/Sao_Paulo',
    description: 'IANA name',
  })
  timezone: string;

  @TextField({
    max: 2,
    example: 'BR',
    description: 'ISO 3166; customers are found by phone numbers of this country without its code, too',
  })
  country: string;

  @TextField({
    max: MAX_PRIVACY_URL_LENGTH,
    optional: true,
    example: 'https://www.example.com/privacy',
    description: 'The privacy notice that customers find under the form; an https URL',
  })
  privacy_url: string | null;

  @TextField({
    max: 500,
    optional: true,
    example: 'We keep your data for 30 days.',
    description: 'Plain text about the use of personal data, shown under the form',
  })
  privacy_text: string | null;

  @BooleanField({
    example: false,
    description:
      'Attendants see only the calls, customers, links and appointments of their departments, calls assigned to them, and customers they have created',
  })
  restrict_attendants: boolean;

  @BooleanField({ example: false, description: 'Staff must have a second factor' })
  mfa_required: boolean;

  @ApiProperty({
    type: [String],
    maxItems: MAX_SITES,
    example: ['https://www.example.com'],
    description:
      'Origins of the sites that may embed the widget and send requests of customers from a browser (`/api/v1/call/…`): https, or http on loopback',
  })
  @IsArray()
  @IsString({ each: true })
  allowed_sites: string[];

  @IntegerField({
    min: 1,
    max: 36_500,
    optional: true,
    example: 365,
    description: 'Null keeps recordings indefinitely',
  })
  recording_retention_days: number | null;

  @IntegerField({
    min: 1,
    max: 86_400,
    example: 20,
    description: 'Seconds within which a call should be answered',
  })
  service_level_seconds: number;

  @ApiProperty({
    type: [String],
    maxItems: MAX_PAUSE_REASONS,
    example: ['Lunch', 'Training'],
    description:
      `The reasons that agents choose from when they pause, of 1 to ${MAX_PAUSE_REASON_LENGTH} characters; ` +
      `"${MISSED_OFFER}" and "${NOT_TAKING_CALLS}" are reserved`,
  })
  @IsArray()
  @ArrayMaxSize(MAX_PAUSE_REASONS)
  @Length(1, MAX_PAUSE_REASON_LENGTH, { each: true })
  pause_reasons: string[];

  @BooleanField({
    example: true,
    description: 'Whether an agent who does not answer an offered call is paused',
  })
  pause_after_missed_offer: boolean;

  @IntegerField({
    min: 1,
    max: 86_400,
    optional: true,
    example: 300,
    description:
      'Seconds that a call waits in a department before supervisors are alerted; null for no alert',
  })
  alert_longest_wait: number | null;

  @BooleanField({
    example: false,
    description: 'Whether supervisors are alerted when calls wait and no agent can be reached',
  })
  alert_nobody_available: boolean;
}

/** Any of the settings; null is accepted only for optional ones. */
export class UpdateTenantDto extends PartialType(TenantSettingsFields, { skipNullProperties: false }) {}

export class TenantDto extends TenantSettingsFields {
  @UuidField()
  id: string;

  @TextField({ example: 'padaria-central', description: 'Identifies the tenant in URLs and logins' })
  slug: string;

  @TimestampField()
  inserted_at: string;

  @TimestampField()
  updated_at: string;
}
