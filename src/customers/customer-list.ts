import { Injectable } from '@nestjs/common';
import { selectList } from '../platform/database/columns';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import type { TimeRange } from '../platform/http/lists/date-filter';
import { notFound } from '../platform/http/errors/api-error';
import { onlyVisible, type Viewer } from '../identity/users/visible-records';
import { CompanyDays } from '../tenancy/company-days';
import { ListQuery } from '../platform/database/list-query';
import type { PageQuery } from '../platform/http/lists/pagination';
import { CUSTOMER_COLUMNS } from './customer.columns';
import { CUSTOMER_SORTABLE, type CustomerDto, type CustomerListQuery } from './customer.dto';
import type { Customer } from './customer.entity';
import { withoutInvisible } from '../platform/text/invisible';
import { parseSearchWords } from './search-words';
import { Page } from '../platform/database/page';
import { Filter } from '../platform/database/filter';
import { ListSource } from '../platform/database/list-statements';

const COLUMNS = selectList(CUSTOMER_COLUMNS);

/** A row as the driver returns it inside a transaction, where timestamps are Date objects. */
type CustomerRow = Omit<CustomerDto, 'last_call_at' | 'inserted_at' | 'updated_at'> &
  Pick<Customer, 'inserted_at' | 'updated_at'> & { last_call_at: Date | null };

/** The customers `c` that a member of staff may see. */
export function visibleCustomers(viewer: Viewer): Filter {
  return onlyVisible(new Filter().and('c.tenant_id = ?', viewer.tenant_id), 'customer', viewer);
}

/** Whether the tenant has the customer, and the viewer may see them. */
export async function isVisibleCustomer(tx: Transaction, viewer: Viewer, id: string): Promise<boolean> {
  const { sql, values } = visibleCustomers(viewer).and('c.id = ?', id);
  return (await tx.one(`SELECT FROM customers c ${sql}`, values)) !== undefined;
}

/** The list as SQL, for the endpoint and for the export. */
export function customerListSource(
  viewer: Viewer,
  query: Omit<CustomerListQuery, keyof PageQuery>,
  { from, until }: TimeRange,
): ListSource {
  const filter = visibleCustomers(viewer)
    .andIf('c.email_key = lower(?)', query.email && withoutInvisible(query.email).trim())
    .andIf('c.inserted_at >= ?', from)
    .andIf('c.inserted_at < ?', until);
  const words = parseSearchWords(query.search);
  // A function in FROM runs once, not once for each row.
  if (words.length > 0)
    filter.andSearch('c.id IN (SELECT id FROM search_customers(?) AS id)', JSON.stringify(words));
  return {
    select: COLUMNS,
    from: 'customers c',
    filter,
    sortable: CUSTOMER_SORTABLE,
    indexedSorts: ['name', 'inserted_at'],
    id: 'c.id',
  };
}

@Injectable()
export class CustomerList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
    private readonly days: CompanyDays,
  ) {}

  async page(viewer: Viewer, query: CustomerListQuery): Promise<Page<CustomerDto>> {
    const range = await this.days.range(viewer.tenant_id, query);
    return this.lists.page<CustomerDto>(viewer.tenant_id, customerListSource(viewer, query, range), query);
  }

  /** Reads the customer inside the transaction. @throws 404 */
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

  /** In no particular order; deleted customers are omitted. */
  findMany(viewer: Viewer, ids: string[]): Promise<CustomerDto[]> {
    return this.select(viewer.tenant_id, visibleCustomers(viewer).and('c.id = ANY (?)', ids));
  }

  /** @throws 404, also for a customer that the viewer may not see */
  async get(viewer: Viewer, id: string): Promise<CustomerDto> {
    const [customer] = await this.select(viewer.tenant_id, visibleCustomers(viewer).and('c.id = ?', id));
    if (!customer) throw notFound('Customer');
    return customer;
  }

  private async select(tenantId: string, { sql, values }: Filter): Promise<CustomerDto[]> {
    const [rows] = await this.database.readTenant<[CustomerDto]>(tenantId, [
      { text: `SELECT ${COLUMNS} FROM customers c ${sql}`, values },
    ]);
    return rows;
  }
}
