import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, IntegerField, TextField } from '../platform/http/input/fields';
import { pageQuery } from '../platform/http/lists/pagination';
import { ChoiceFilter } from '../platform/http/lists/query-filters';
import { CustomerDto } from './customer.dto';

const REASONS = ['email', 'phone', 'document'] as const;

export class DuplicateGroupDto {
  @ChoiceField(REASONS, { description: 'What the customers share' })
  reason: (typeof REASONS)[number];

  @TextField({
    example: 'joao@example.com',
    description: 'Normalised for comparison: without punctuation and case, phones as E.164',
  })
  value: string;

  @IntegerField({ example: 2, description: 'Number of customers in the group' })
  size: number;

  @ApiProperty({ type: [CustomerDto], description: 'At most 20, oldest first' })
  customers: CustomerDto[];
}

export const DUPLICATE_GROUP_SORTABLE = {
  size: 'g.size',
  reason: 'g.reason',
  value: 'g.value',
} as const;

const SORT_COLUMNS = Object.keys(DUPLICATE_GROUP_SORTABLE) as (keyof typeof DUPLICATE_GROUP_SORTABLE)[];

export class DuplicateGroupListQuery extends pageQuery(SORT_COLUMNS, {
  sort_by: 'size',
  sort_order: 'desc',
}) {
  @ChoiceFilter(REASONS)
  reason?: (typeof REASONS)[number];
}
