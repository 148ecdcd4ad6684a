import { Injectable } from '@nestjs/common';
import type { Viewer } from '../identity/users/visible-records';
import { ListQuery } from '../platform/database/list-query';
import { CustomerList, visibleCustomers } from './customer-list';
import {
  DUPLICATE_GROUP_SORTABLE,
  type DuplicateGroupDto,
  type DuplicateGroupListQuery,
} from './duplicate-group.dto';
import { Page } from '../platform/database/page';
import { Filter } from '../platform/database/filter';
import { PHONE_NUMBER_SQL } from './phone-numbers';

/** Bounds the response, because a group can have any size. */
const MAX_SHOWN_CUSTOMERS = 20;

const KEY_COLUMNS = { email: 'email_key', phone: 'phone_normalized', document: 'document_key' };

/**
 * One group for each e-mail, phone (in any notation) or document (without punctuation) that several customers share. Equal
 * names are not enough to suspect a duplicate, nor are phones that are no whole numbers: many people can have typed them.
 */
const groupsOf = (visible: string) =>
  Object.entries(KEY_COLUMNS)
    .map(
      ([reason, key]) => `SELECT '${reason}' AS reason, ${key} AS value, count(*)::int AS size
      FROM customers c ${visible} AND ${reason === 'phone' ? PHONE_NUMBER_SQL : `${key} <> ''`}
      GROUP BY ${key} HAVING count(*) > 1`,
    )
    .join(' UNION ALL ');

const idsOf = (visible: string) => `ARRAY(SELECT c.id FROM customers c ${visible}
    AND (${Object.entries(KEY_COLUMNS)
      .map(([reason, key]) => `g.reason = '${reason}' AND c.${key} = g.value`)
      .join(' OR ')})
  ORDER BY c.inserted_at, c.id LIMIT ${MAX_SHOWN_CUSTOMERS})`;

type GroupRow = Omit<DuplicateGroupDto, 'customers'> & { ids: string[] };

/** Lists groups of customers who are probably the same person. */
@Injectable()
export class DuplicateGroupList {
  constructor(
    private readonly lists: ListQuery,
    private readonly customers: CustomerList,
  ) {}

  /** The groups of the customers that the viewer may see. */
  async page(viewer: Viewer, query: DuplicateGroupListQuery): Promise<Page<DuplicateGroupDto>> {
    const visible = visibleCustomers(viewer);
    const filter = new Filter();
    for (const id of visible.values) filter.parameter('uuid', id);
    filter.andIf('g.reason = ?', query.reason);
    // Two viewers must not share the number of groups.
    if (viewer.restricted) filter.identity.push(viewer.user_id);
    const groups = await this.lists.page<GroupRow>(
      viewer.tenant_id,
      {
        select: `g.reason, g.value, g.size, ${idsOf(visible.sql)} AS ids`,
        from: `(${groupsOf(visible.sql)}) g`,
        filter,
        sortable: DUPLICATE_GROUP_SORTABLE,
        readsAllRows: true,
        id: '(g.value, g.reason)',
      },
      query,
    );
    return new Page(await this.withCustomers(viewer, groups.data), query, groups.meta.total_count);
  }

  private async withCustomers(viewer: Viewer, groups: GroupRow[]): Promise<DuplicateGroupDto[]> {
    const customers = await this.customers.findMany(
      viewer,
      groups.flatMap(({ ids }) => ids),
    );
    const byId = new Map(customers.map((customer) => [customer.id, customer]));
    return groups.map(({ ids, ...group }) => ({
      ...group,
      customers: ids.flatMap((id) => byId.get(id) ?? []),
    }));
  }
}
