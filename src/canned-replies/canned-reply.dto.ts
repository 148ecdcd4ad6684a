import { naturalOrder } from '../platform/database/natural-order';
import { LowerCase, PatternField, TextField, TimestampField, UuidField } from '../platform/http/input/fields';
import { UpdateType } from '../platform/http/input/update-type';
import { pageQuery } from '../platform/http/lists/pagination';
import { SearchFilter } from '../platform/http/lists/query-filters';

const SHORTCUT = /^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u;

export class CreateCannedReplyDto {
  @TextField({ max: 100, example: 'Second invoice' })
  title: string;

  @TextField({
    max: 2000,
    example: 'I have sent you the invoice again.',
    description: 'At most as long as a chat message',
  })
  text: string;

  @PatternField(SHORTCUT, 'must consist of letters, digits, - and _, and begin with a letter or digit', {
    max: 30,
    optional: true,
    example: 'invoice',
    description: 'What is typed behind a slash; unique in the tenant. Stored in lower case',
  })
  @LowerCase()
  shortcut?: string | null;
}

export class UpdateCannedReplyDto extends UpdateType(CreateCannedReplyDto) {}

export class CannedReplyDto {
  @UuidField()
  id: string;

  @TextField({ example: 'Second invoice' })
  title: string;

  @TextField({ example: 'I have sent you the invoice again.' })
  text: string;

  @TextField({ optional: true, example: 'invoice' })
  shortcut: string | null;

  @TimestampField()
  inserted_at: string;

  @TimestampField()
  updated_at: string;
}

export const CANNED_REPLY_SORTABLE = {
  id: 'r.id',
  title: naturalOrder('r.title'),
  text: 'r.text',
  shortcut: 'r.shortcut',
  inserted_at: 'r.inserted_at',
  updated_at: 'r.updated_at',
} as const;

const SORT_COLUMNS = Object.keys(CANNED_REPLY_SORTABLE) as (keyof typeof CANNED_REPLY_SORTABLE)[];

export class CannedReplyListQuery extends pageQuery(SORT_COLUMNS, { sort_by: 'title', sort_order: 'asc' }) {
  @SearchFilter('Part of the title, the text or the shortcut')
  search?: string;
}
