import { type ColumnsOf, plainColumns } from '../platform/database/columns';
import type { CustomerDto } from './customer.dto';

/** The columns of `customers c`. */
export const CUSTOMER_COLUMNS: ColumnsOf<CustomerDto> = plainColumns('c', [
  'id',
  'name',
  'email',
  'phone',
  'document',
  'notes',
  'metadata',
  'call_count',
  'last_call_at',
  'inserted_at',
  'updated_at',
]);
