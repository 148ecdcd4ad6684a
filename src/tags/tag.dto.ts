import { ApiProperty } from '@nestjs/swagger';
import { naturalOrder } from '../platform/database/natural-order';
import { LowerCase, PatternField, TextField, TimestampField, UuidField } from '../platform/http/input/fields';
import { UpdateType } from '../platform/http/input/update-type';
import { pageQuery } from '../platform/http/lists/pagination';
import { IdFilter, SearchFilter } from '../platform/http/lists/query-filters';

const COLOR = /^#[0-9a-f]{6}$/i;

export class CreateTagDto {
  @TextField({ example: 'Billing', description: 'Unique among siblings, ignoring case' })
  name: string;

  @PatternField(COLOR, 'must be a color in the form #rrggbb', {
    optional: true,
    default: '#64748b',
    example: '#16a34a',
    description: 'Stored in lower case',
  })
  @LowerCase()
  color?: string | null;

  @UuidField({ optional: true, example: null, description: 'Null for a root tag' })
  parent_id?: string | null;

  @TextField({ max: 2000, optional: true, example: 'About invoices and payments' })
  description?: string | null;
}

export class UpdateTagDto extends UpdateType(CreateTagDto, ['color']) {}

export class TagDto {
  @UuidField()
  id: string;

  @TextField({ example: 'Billing' })
  name: string;

  @TextField({ example: '#16a34a' })
  color: string;

  @UuidField({ optional: true })
  parent_id: string | null;

  @TextField({ optional: true, example: 'About invoices and payments' })
  description: string | null;

  @TimestampField()
  inserted_at: string;

  @TimestampField()
  updated_at: string;
}

export class TagTreeDto extends TagDto {
  @ApiProperty({ type: () => [TagTreeDto], description: 'Child tags, sorted by name' })
  children: TagTreeDto[];
}

export const TAG_SORTABLE = {
  id: 't.id',
  name: naturalOrder('t.name'),
  color: 't.color',
  parent_id: 't.parent_id',
  description: 't.description',
  inserted_at: 't.inserted_at',
  updated_at: 't.updated_at',
} as const;

const SORT_COLUMNS = Object.keys(TAG_SORTABLE) as (keyof typeof TAG_SORTABLE)[];

export class TagListQuery extends pageQuery(SORT_COLUMNS, { sort_by: 'name', sort_order: 'asc' }) {
  @IdFilter('Only direct children of this tag')
  parent_id?: string;

  @SearchFilter('Part of the name')
  search?: string;
}
