import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { visibleCustomers } from '../../customers/customer-list';
import { notFound } from '../../platform/http/errors/api-error';
import type { TimeRange } from '../../platform/http/lists/date-filter';
import { naturalOrder } from '../../platform/database/natural-order';
import { ListQuery } from '../../platform/database/list-query';
import type { PageQuery } from '../../platform/http/lists/pagination';
import type { Principal } from '../../platform/access/principal';
import { UsageRegistry } from '../../plans/usage-registry';
import { CompanyDays } from '../../tenancy/company-days';
import { CALL_DETAIL_COLUMNS, CALL_LIST_COLUMNS } from '../call.columns';
import type { CallDetailsDto } from '../call-details.dto';
import { CALL_SORT_COLUMNS, type CallListItemDto, type CallListQuery } from '../call-list.dto';
import { visibleCalls } from './call-access';
import { Page } from '../../platform/database/page';
import { ListSource } from '../../platform/database/list-statements';
import type { Statement } from '../../platform/database/statement';

/** A scalar subquery is evaluated row by row, so that the first page of a frequent word is found in the list's order. */
const HAS_WORDS = '(SELECT w.words LIKE (SELECT search_pattern(?)) FROM call_words w WHERE w.call_id = c.id)';
/** With more matches, reading the list row by row finds a page as fast. */
const MAX_CANDIDATES = 1000;

const SORTABLE = {
  ...Object.fromEntries(CALL_SORT_COLUMNS.map((column) => [column, `c.${column}`])),
  department_name: naturalOrder('c.department_name'),
  user_name: naturalOrder('c.user_name'),
  customer_name: naturalOrder('c.customer_name'),
};

/** The list as SQL, shared by the endpoint, the export and the benchmark. */
export function callListSource(
  user: Principal,
  query: Omit<CallListQuery, keyof PageQuery>,
  { from, until }: TimeRange,
  customerId?: string,
): ListSource {
  const filter = visibleCalls(user)
    .andIf('c.customer_id = ?', customerId)
    .andIf('c.status = ?', query.status)
    .andIf('c.department_id = ?', query.department_id)
    .andIf('c.user_id = ?', query.user_id)
    .andIf('c.inserted_at >= ?', from)
    .andIf('c.inserted_at < ?', until)
    .andSearch(HAS_WORDS, query.search || undefined);
  const source: ListSource = {
    select: CALL_LIST_COLUMNS,
    from: 'calls c',
    filter,
    sortable: SORTABLE,
    indexedSorts: ['inserted_at'],
    isIndexed: hasIndexedFilter(user, query, customerId),
    id: 'c.id',
  };
  return query.search ? { ...source, candidates: candidatesOf(query.search) } : source;
}

/** Each of status, department and agent has an index in the order of inserted_at, but not a combination of them. */
function hasIndexedFilter(
  { restricted }: Principal,
  { status, department_id, user_id, search }: Omit<CallListQuery, keyof PageQuery>,
  customerId: string | undefined,
): boolean {
  const filterCount = [status, department_id, user_id].filter((value) => value !== undefined).length;
  return filterCount <= 1 && !restricted && !search && customerId === undefined;
}

const candidatesOf = (search: string) => ({
  text: `SELECT search_calls($1, ${MAX_CANDIDATES}) AS ids`,
  values: [search],
});

/** Selects one call with all details, if the user may see it. */
export function callDetailsStatement(user: Principal, id: string): Statement {
  const { sql, values } = visibleCalls(user).and('c.id = ?', id);
  return { text: `SELECT ${CALL_DETAIL_COLUMNS} FROM calls c ${sql}`, values };
}

@Injectable()
export class CallList implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
    private readonly usage: UsageRegistry,
    private readonly days: CompanyDays,
  ) {}

  onModuleInit(): void {
    this.usage.register(
      'calls_this_month',
      'SELECT count(*) FROM calls WHERE tenant_id = $1 AND inserted_at >= $2',
    );
  }

  async page(user: Principal, query: CallListQuery, customerId?: string): Promise<Page<CallListItemDto>> {
    const range = await this.days.range(user.tenant_id, query);
    const source = callListSource(user, query, range, customerId);
    return this.lists.page<CallListItemDto>(user.tenant_id, source, query);
  }

  /** The customer's calls that the caller may see. @throws 404 for a customer that they may not see */
  async ofCustomer(
    user: Principal,
    customerId: string,
    query: CallListQuery,
  ): Promise<Page<CallListItemDto>> {
    const { sql, values } = visibleCustomers(user).and('c.id = ?', customerId);
    const [known] = await this.database.readTenant(user.tenant_id, [
      { text: `SELECT c.id FROM customers c ${sql}`, values },
    ]);
    if (!known?.length) throw notFound('Customer');
    return this.page(user, query, customerId);
  }

  /** @throws 404, also for a call that the caller may not see */
  async get(user: Principal, id: string): Promise<CallDetailsDto> {
    const [rows] = await this.database.readTenant<[CallDetailsDto]>(user.tenant_id, [
      callDetailsStatement(user, id),
    ]);
    const call = rows[0];
    if (!call) throw notFound('Call');
    return call;
  }

  /** @returns the call as a list item, or undefined: for events and acknowledgements */
  async item(tenantId: string, callId: string): Promise<CallListItemDto | undefined> {
    const [rows] = await this.database.readTenant<[CallListItemDto]>(tenantId, [
      {
        text: `SELECT ${CALL_LIST_COLUMNS} FROM calls c WHERE c.tenant_id = $1 AND c.id = $2`,
        values: [tenantId, callId],
      },
    ]);
    return rows[0];
  }

  /** @returns the agent's assigned and active calls, the oldest first */
  async openCallsOf(tenantId: string, userId: string): Promise<CallListItemDto[]> {
    const [rows] = await this.database.readTenant<[CallListItemDto]>(tenantId, [
      {
        text: `SELECT ${CALL_LIST_COLUMNS} FROM calls c WHERE c.tenant_id = $1 AND c.user_id = $2
               AND c.status IN ('assigned', 'active') ORDER BY c.inserted_at, c.id`,
        values: [tenantId, userId],
      },
    ]);
    return rows;
  }
}
