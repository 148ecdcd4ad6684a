import { BooleanField, TextField, TimestampField, UuidField } from '../../platform/http/input/fields';
import { pageQuery } from '../../platform/http/lists/pagination';

export class SessionDto {
  @UuidField()
  id: string;

  @BooleanField({ description: 'Whether it is the session of this request' })
  current: boolean;

  @TextField({ optional: true, description: 'Client address of the login', example: '198.51.100.7' })
  address: string | null;

  @TextField({ optional: true, max: 300, example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)' })
  user_agent: string | null;

  @TimestampField({ description: 'When it was opened or last refreshed' })
  last_used_at: string;

  @TimestampField()
  expires_at: string;

  @TimestampField()
  inserted_at: string;
}

export const SESSION_SORT_COLUMNS = [
  'last_used_at',
  'inserted_at',
  'expires_at',
  'address',
  'user_agent',
  'id',
] as const;

export class SessionListQuery extends pageQuery(SESSION_SORT_COLUMNS, {
  sort_by: 'last_used_at',
  sort_order: 'desc',
}) {}
