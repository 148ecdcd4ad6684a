import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { startOfRange, endOfRange } from '../platform/http/lists/date-filter';
import { notFound } from '../platform/http/errors/api-error';
import { Filter } from '../platform/database/filter';
import { ListQuery } from '../platform/database/list-query';
import type { ListSource } from '../platform/database/list-statements';
import type { Page } from '../platform/database/page';
import type { PageQuery } from '../platform/http/lists/pagination';
import { CUSTOMER_SORTABLE, type CustomerDto, type CustomerListQuery } from './customer.dto';
import type { Customer } from './customer.entity';
import { searchWords } from './search-words';

const COLUMNS = `c.id, c.name, c.email, c.phone, c.document, c.notes, c.metadata, c.call_count,
  c.last_call_at, c.inserted_at, c.updated_at`;

/** As PostgreSQL's driver reads it in transactions. */
type CustomerRow = Omit<CustomerDto, 'last_call_at' | 'inserted_at' | 'updated_at'> &
  Pick<Customer, 'inserted_at' | 'updated_at'> & { last_call_at: Date | null };

/** The list as SQL, for the endpoint and for the export. */
export function customerListSource(
  tenantId: string,
  query: Omit<CustomerListQuery, keyof PageQuery>,
): ListSource {
  const filter = new Filter()
    .and('c.tenant_id = ?', tenantId)
    .andIf('c.email_key = lower(?)', query.email || undefined)
    .andIf('c.inserted_at >= ?', startOfRange(query.date_from))
    .andIf('c.inserted_at < ?', endOfRange(query.date_to));
  const words = searchWords(query.search);
  // Called in FROM, it is called once.
  if (words.length > 0)
    filter.and('c.id IN (SELECT id FROM search_customers(?) AS id)', JSON.stringify(words));
  return { select: COLUMNS, from: 'customers c', filter, sortable: CUSTOMER_SORTABLE, id: 'c.id' };
}

@Injectable()
export class CustomerList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
  ) {}

  page(tenantId: string, query: CustomerListQuery): Promise<Page<CustomerDto>> {
    return this.lists.page<CustomerDto>(tenantId, customerListSource(tenantId, query), query);
  }

  /** As a transaction sees the customer. @throws 404 */
  async getIn(tx: Transaction, tenantId: string, id: string): Promise<CustomerDto> {
    const row = await tx.one<CustomerRow>(
      `SELECT ${COLUMNS} FROM customers c WHERE c.tenant_id = $1 AND c.id = $2`,
      [tenantId, id],
    );
    if (!row) throw notFound('Customer');
    return {
      ...row,
      last_call_at: row.last_call_at?.toISOString() ?? null,
      inserted_at: row.inserted_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    };
  }

  /** In no particular order; those that are gone are left out. */
  async some(tenantId: string, ids: string[]): Promise<CustomerDto[]> {
    const [rows] = await this.database.readTenant<[CustomerDto]>(tenantId, [
      {
        text: `SELECT ${COLUMNS} FROM customers c WHERE c.tenant_id = $1 AND c.id = ANY ($2)`,
        values: [tenantId, ids],
      },
    ]);
    return rows;
  }

  /** @throws 404 */
  async get(tenantId: string, id: string): Promise<CustomerDto> {
    const [customer] = await this.some(tenantId, [id]);
    if (!customer) throw notFound('Customer');
    return customer;
  }
}
