import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIP, IsOptional, Matches, MaxLength } from 'class-validator';
import { DateFilter } from '../platform/http/lists/date-filter';
import { TextField, TimestampField, UuidField } from '../platform/http/input/fields';
import { pageQuery } from '../platform/http/lists/pagination';
import { IdFilter } from '../platform/http/lists/query-filters';

const ACTION = /^[a-z_]+\.[a-z_]+$/;
const SUBJECT_TYPE = /^[a-z_]+$/;

export class AuditEntryDto {
  @UuidField()
  id: string;

  @TextField({ example: 'call.assigned', description: 'The kind of record and what happened to it' })
  action: string;

  @UuidField({ optional: true, description: 'Who did it; null when nobody is known, as in a failed login' })
  user_id: string | null;

  @TextField({ optional: true, example: 'Ana Souza', description: 'The name that the user has now' })
  user_name: string | null;

  @TextField({ example: 'call' })
  subject_type: string;

  @UuidField({ description: 'The record that it happened to; it may be gone' })
  subject_id: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Ids, fixed words, counts and names of fields; what is in it depends on the action',
    example: { user_id: '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11', previous_user_id: null },
  })
  details: Record<string, unknown>;

  @TextField({ optional: true, example: '203.0.113.7', description: 'The IP address it came from' })
  address: string | null;

  @TextField({ optional: true, description: "The answer's X-Request-Id; a socket message has one, too" })
  request_id: string | null;

  @TimestampField()
  inserted_at: string;
}

export const AUDIT_SORTABLE = {
  id: 'a.id',
  action: 'a.action',
  user_id: 'a.user_id',
  user_name: 'u.name',
  subject_type: 'a.subject_type',
  subject_id: 'a.subject_id',
  address: 'a.address',
  request_id: 'a.request_id',
  inserted_at: 'a.inserted_at',
} as const;

const SORT_COLUMNS = Object.keys(AUDIT_SORTABLE) as (keyof typeof AUDIT_SORTABLE)[];

export class AuditListQuery extends pageQuery(SORT_COLUMNS, {
  sort_by: 'inserted_at',
  sort_order: 'desc',
}) {
  @IdFilter('Who did it')
  user_id?: string;

  @ApiPropertyOptional({ pattern: ACTION.source, maxLength: 64, example: 'call.assigned' })
  @IsOptional()
  @MaxLength(64)
  @Matches(ACTION, { message: '$property must be two words with a dot between, such as call.assigned' })
  action?: string;

  @ApiPropertyOptional({ pattern: SUBJECT_TYPE.source, maxLength: 64, example: 'call' })
  @IsOptional()
  @MaxLength(64)
  @Matches(SUBJECT_TYPE, { message: '$property must be a word in lower case, such as call' })
  subject_type?: string;

  @IdFilter('The record that it happened to')
  subject_id?: string;

  @ApiPropertyOptional({ example: '203.0.113.7', description: 'IPv4 or IPv6, written as in the list' })
  @IsOptional()
  @IsIP()
  address?: string;

  @DateFilter('inserted_at from here on')
  date_from?: string;

  @DateFilter('inserted_at up to here; a date without a time is included whole')
  date_to?: string;
}
