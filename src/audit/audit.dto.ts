import { ApiProperty } from '@nestjs/swagger';
import { IsIP, Matches, MaxLength } from 'class-validator';
import { naturalOrder } from '../platform/database/natural-order';
import { DateFilter } from '../platform/http/lists/date-filter';
import { TextField, TimestampField, UuidField } from '../platform/http/input/fields';
import { pageQuery } from '../platform/http/lists/pagination';
import { IdFilter, QueryFilter } from '../platform/http/lists/query-filters';

const ACTION_PATTERN = /^[a-z_]+\.[a-z_]+$/;
const SUBJECT_TYPE_PATTERN = /^[a-z_]+$/;

export class AuditEntryDto {
  @UuidField()
  id: string;

  @TextField({ example: 'call.assigned', description: 'The type of the record and what happened to it' })
  action: string;

  @UuidField({ optional: true, description: 'The user who did it; null when unknown, as in a failed login' })
  user_id: string | null;

  @TextField({ optional: true, example: 'Ana Souza', description: "The user's current name" })
  user_name: string | null;

  @TextField({ example: 'call' })
  subject_type: string;

  @UuidField({ description: 'The affected record; it may have been deleted' })
  subject_id: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Ids, fixed words, counts and field names, depending on the action',
    example: { user_id: '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11', previous_user_id: null },
  })
  details: Record<string, unknown>;

  @TextField({ optional: true, example: '203.0.113.7', description: 'IP address of the request' })
  address: string | null;

  @TextField({ optional: true, description: 'X-Request-Id of the response; socket messages also have one' })
  request_id: string | null;

  @TimestampField()
  inserted_at: string;
}

export const AUDIT_SORT_COLUMNS = {
  id: 'a.id',
  action: 'a.action',
  user_id: 'a.user_id',
  user_name: naturalOrder('u.name'),
  subject_type: 'a.subject_type',
  subject_id: 'a.subject_id',
  address: 'a.address',
  request_id: 'a.request_id',
  inserted_at: 'a.inserted_at',
} as const;

const SORT_NAMES = Object.keys(AUDIT_SORT_COLUMNS) as (keyof typeof AUDIT_SORT_COLUMNS)[];

export class AuditListQuery extends pageQuery(SORT_NAMES, {
  sort_by: 'inserted_at',
  sort_order: 'desc',
}) {
  @IdFilter('The user who did it')
  user_id?: string;

  @QueryFilter(
    { pattern: ACTION_PATTERN.source, maxLength: 64, example: 'call.assigned' },
    MaxLength(64),
    Matches(ACTION_PATTERN, {
      message: 'must be two words separated by a dot, such as call.assigned',
    }),
  )
  action?: string;

  @QueryFilter(
    { pattern: SUBJECT_TYPE_PATTERN.source, maxLength: 64, example: 'call' },
    MaxLength(64),
    Matches(SUBJECT_TYPE_PATTERN, { message: 'must be a lower-case word, such as call' }),
  )
  subject_type?: string;

  @IdFilter('The affected record')
  subject_id?: string;

  @QueryFilter(
    { example: '203.0.113.7', description: 'IPv4 or IPv6, in the form that the list shows' },
    IsIP(),
  )
  address?: string;

  @DateFilter('Earliest inserted_at')
  date_from?: string;

  @DateFilter('Latest inserted_at; the whole day is included')
  date_to?: string;
}
