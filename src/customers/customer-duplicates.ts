import { Injectable } from '@nestjs/common';
import { Filter } from '../platform/database/filter';
import { ListQuery } from '../platform/database/list-query';
import { Page } from '../platform/database/page';
import { CustomerList } from './customer-list';
import { DUPLICATE_SORTABLE, type DuplicatesDto, type DuplicatesQuery } from './duplicates.dto';

/** A group may be of any size, its answer may not. */
const MOST_SHOWN = 20;

const SHARED = { email: 'email_key', phone: 'phone_key', document: 'document_key' };

/**
 * Customers with the same e-mail, digits of a phone, or characters of a document: in each kind one group for what
 * they share. Names alone prove nothing.
 */
const GROUPS = Object.entries(SHARED)
  .map(
    ([reason, key]) => `SELECT '${reason}' AS reason, ${key} AS value, count(*)::int AS size
      FROM customers WHERE tenant_id = $1 AND ${key} IS NOT NULL GROUP BY ${key} HAVING count(*) > 1`,
  )
  .join(' UNION ALL ');

const IDS = `ARRAY(SELECT c.id FROM customers c WHERE c.tenant_id = $1
    AND (${Object.entries(SHARED)
      .map(([reason, key]) => `g.reason = '${reason}' AND c.${key} = g.value`)
      .join(' OR ')})
  ORDER BY c.inserted_at, c.id LIMIT ${MOST_SHOWN})`;

type Group = Omit<DuplicatesDto, 'customers'> & { ids: string[] };

@Injectable()
export class CustomerDuplicates {
  constructor(
    private readonly lists: ListQuery,
    private readonly customers: CustomerList,
  ) {}

  async page(tenantId: string, query: DuplicatesQuery): Promise<Page<DuplicatesDto>> {
    const filter = new Filter().parameter('uuid', tenantId).andIf('g.reason = ?', query.reason);
    const groups = await this.lists.page<Group>(
      tenantId,
      {
        select: `g.reason, g.value, g.size, ${IDS} AS ids`,
        from: `(${GROUPS}) g`,
        filter,
        sortable: DUPLICATE_SORTABLE,
        id: '(g.value, g.reason)',
      },
      query,
    );
    return new Page(await this.withCustomers(tenantId, groups.data), query, groups.meta.total_count);
  }

  private async withCustomers(tenantId: string, groups: Group[]): Promise<DuplicatesDto[]> {
    const customers = await this.customers.some(
      tenantId,
      groups.flatMap(({ ids }) => ids),
    );
    const byId = new Map(customers.map((customer) => [customer.id, customer]));
    return groups.map(({ ids, ...group }) => ({
      ...group,
      customers: ids.flatMap((id) => byId.get(id) ?? []),
    }));
  }
}
