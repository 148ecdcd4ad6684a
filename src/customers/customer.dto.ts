import { PartialType } from '@nestjs/swagger';
import { MaxLength } from 'class-validator';
import { naturalOrder } from '../platform/database/natural-order';
import { DateFilter } from '../platform/http/lists/date-filter';
import {
  EmailField,
  IntegerField,
  JsonField,
  TextField,
  TimestampField,
  UuidField,
  UuidsField,
} from '../platform/http/input/fields';
import { pageQuery } from '../platform/http/lists/pagination';
import { QueryFilter, SearchFilter } from '../platform/http/lists/query-filters';

export class CreateCustomerDto {
  @TextField({ example: 'João Lima' })
  name: string;

  @EmailField({ optional: true, example: 'joao@example.com', description: 'Not unique' })
  email?: string | null;

  @TextField({ max: 40, optional: true, example: '+55 11 91234-5678' })
  phone?: string | null;

  @TextField({
    max: 40,
    optional: true,
    example: '529.982.247-25',
    description: 'Of any kind; not validated',
  })
  document?: string | null;

  @TextField({ max: 10_000, optional: true, example: 'Prefers to be called in the morning' })
  notes?: string | null;

  @JsonField({
    optional: true,
    example: { crm_id: '4711' },
    description: "The company's own data, at most 16 KiB",
  })
  metadata?: object | null;
}

export class UpdateCustomerDto extends PartialType(CreateCustomerDto) {}

export class CustomerDto {
  @UuidField()
  id: string;

  @TextField({ example: 'João Lima' })
  name: string;

  @TextField({ optional: true, example: 'joao@example.com' })
  email: string | null;

  @TextField({ optional: true, example: '+55 11 91234-5678' })
  phone: string | null;

  @TextField({ optional: true, example: '529.982.247-25' })
  document: string | null;

  @TextField({ max: 10_000, optional: true, example: 'Prefers to be called in the morning' })
  notes: string | null;

  @JsonField({ example: { crm_id: '4711' } })
  metadata: object;

  @IntegerField({ example: 3 })
  call_count: number;

  @TimestampField({ optional: true })
  last_call_at: string | null;

  @TimestampField()
  inserted_at: string;

  @TimestampField()
  updated_at: string;
}

export class MergeCustomersDto {
  @UuidField({ description: 'The customer who remains' })
  primary_id: string;

  @UuidsField({ description: 'Customers who are the same person; they are deleted' })
  duplicate_ids: string[];
}

export const CUSTOMER_SORTABLE = {
  id: 'c.id',
  name: naturalOrder('c.name'),
  email: 'c.email',
  phone: 'c.phone',
  document: 'c.document',
  notes: 'c.notes',
  call_count: 'c.call_count',
  last_call_at: 'c.last_call_at',
  inserted_at: 'c.inserted_at',
  updated_at: 'c.updated_at',
} as const;

const SORT_COLUMNS = Object.keys(CUSTOMER_SORTABLE) as (keyof typeof CUSTOMER_SORTABLE)[];

export class CustomerListQuery extends pageQuery(SORT_COLUMNS, { sort_by: 'name', sort_order: 'asc' }) {
  @SearchFilter('Words contained in name, e-mail, phone or document, ignoring case and accents')
  search?: string;

  @QueryFilter({ description: 'Exact e-mail, ignoring case' }, MaxLength(254))
  email?: string;

  @DateFilter('Earliest inserted_at')
  date_from?: string;

  @DateFilter('Latest inserted_at; the whole day is included')
  date_to?: string;
}
