import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { notFound } from '../../platform/http/errors/api-error';
import { startOfRange, endOfRange } from '../../platform/http/lists/date-filter';
import { Filter } from '../../platform/database/filter';
import { ListQuery } from '../../platform/database/list-query';
import type { ListSource } from '../../platform/database/list-statements';
import type { Page } from '../../platform/database/page';
import type { PageQuery } from '../../platform/http/lists/pagination';
import type { Principal } from '../../platform/access/principal';
import { searchPattern } from '../../platform/text/search-pattern';
import { Usage } from '../../plans/usage';
import { QUEUE_ORDER_SQL } from '../queue/queue';
import {
  CALL_SORT_COLUMNS,
  type CallDetailsDto,
  type CallListItemDto,
  type CallListQuery,
} from '../call.dto';

const LIST_COLUMNS = `c.id, c.status, c.department_id, c.department_name, c.user_id, c.user_name, c.customer_name,
  c.customer_email, c.customer_phone, c.duration, c.wait_time, c.rating, c.notes, c.has_recording, c.started_at,
  c.completed_at, c.inserted_at`;

/** The tags of a call `c` by name, as JSON. */
export const TAGS_OF_CALL = `COALESCE((
    SELECT jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) ORDER BY t.name, t.id)
    FROM call_tags ct JOIN tags t ON t.id = ct.tag_id WHERE ct.call_id = c.id
  ), '[]')`;

const DETAIL_COLUMNS = `${LIST_COLUMNS},
  CASE WHEN c.has_recording THEN '/api/v1/calls/' || c.id || '/recording' END AS recording_url,
  ${TAGS_OF_CALL} AS tags, c.disconnected_at, c.reconnected_at, c.end_reason, c.manager_notes, c.reason,
  c.rating_comment, c.reserved_user_id`;

type WaitingRow = CallListItemDto & { queue_size: number; place: number };

const SORTABLE = Object.fromEntries(CALL_SORT_COLUMNS.map((column) => [column, `c.${column}`]));

/** Only the calls that this member of staff may see; a restricted attendant sees few. */
export function visibleCalls({ tenant_id, user_id, restricted }: Principal): Filter {
  const filter = new Filter().and('c.tenant_id = ?', tenant_id);
  if (restricted) {
    filter.and(
      `(c.user_id = ? OR c.department_id IN (SELECT m.department_id FROM department_members m WHERE m.user_id = ?))`,
      user_id,
    );
  }
  return filter;
}

/** The list as SQL: for the endpoint, for the export, and for the benchmark that sends the same statements. */
export function callListSource(
  user: Principal,
  query: Omit<CallListQuery, keyof PageQuery>,
  customerId?: string,
): ListSource {
  const filter = visibleCalls(user)
    .andIf('c.customer_id = ?', customerId)
    .andIf('c.status = ?', query.status)
    .andIf('c.department_id = ?', query.department_id)
    .andIf('c.user_id = ?', query.user_id)
    .andIf('c.inserted_at >= ?', startOfRange(query.date_from))
    .andIf('c.inserted_at < ?', endOfRange(query.date_to))
    .andIf('(c.customer_name ILIKE ? OR c.customer_email ILIKE ?)', searchPattern(query.search));
  return { select: LIST_COLUMNS, from: 'calls c', filter, sortable: SORTABLE, id: 'c.id' };
}

@Injectable()
export class CallList implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
    private readonly usage: Usage,
  ) {}

  onModuleInit(): void {
    this.usage.register(
      'calls_this_month',
      'SELECT count(*) FROM calls WHERE tenant_id = $1 AND inserted_at >= $2',
    );
  }

  page(user: Principal, query: CallListQuery): Promise<Page<CallListItemDto>> {
    return this.lists.page<CallListItemDto>(user.tenant_id, callListSource(user, query), query);
  }

  /** The customer's calls, as far as the caller may see them. @throws 404 for the customer */
  async ofCustomer(
    user: Principal,
    customerId: string,
    query: CallListQuery,
  ): Promise<Page<CallListItemDto>> {
    const [known] = await this.database.readTenant(user.tenant_id, [
      {
        text: 'SELECT id FROM customers WHERE tenant_id = $1 AND id = $2',
        values: [user.tenant_id, customerId],
      },
    ]);
    if (!known?.length) throw notFound('Customer');
    return this.lists.page<CallListItemDto>(user.tenant_id, callListSource(user, query, customerId), query);
  }

  /** @throws 404, also for a call that the caller may not see */
  async get(user: Principal, id: string): Promise<CallDetailsDto> {
    const filter = visibleCalls(user).and('c.id = ?', id);
    const [rows] = await this.database.readTenant<[CallDetailsDto]>(user.tenant_id, [
      { text: `SELECT ${DETAIL_COLUMNS} FROM calls c ${filter.sql}`, values: filter.values },
    ]);
    const call = rows[0];
    if (!call) throw notFound('Call');
    return call;
  }

  /** @throws 404 when the call does not exist or the caller may not see it */
  async ensureVisible(tx: Transaction, user: Principal, id: string): Promise<void> {
    const filter = visibleCalls(user).and('c.id = ?', id);
    const found = await tx.query(`SELECT FROM calls c ${filter.sql}`, filter.values);
    if (found.length === 0) throw notFound('Call');
  }

  /** Calls as list items, in no particular order: for events and snapshots. */
  async items(tenantId: string, condition: string, values: unknown[]): Promise<CallListItemDto[]> {
    const [rows] = await this.database.readTenant<[CallListItemDto]>(tenantId, [
      {
        text: `SELECT ${LIST_COLUMNS} FROM calls c WHERE c.tenant_id = $1 AND ${condition}`,
        values: [tenantId, ...values],
      },
    ]);
    return rows;
  }

  /** The first `limit` waiting calls of each department, in line, with how many wait there in all. */
  async waiting(
    tenantId: string,
    departmentIds: string[],
    limit: number,
  ): Promise<{ item: CallListItemDto; queue_size: number }[]> {
    if (departmentIds.length === 0) return [];
    const [rows] = await this.database.readTenant<[WaitingRow]>(tenantId, [
      {
        name: 'waiting-calls',
        text: `SELECT * FROM (
            SELECT ${LIST_COLUMNS}, count(*) OVER (PARTITION BY c.department_id)::int AS queue_size,
              row_number() OVER (PARTITION BY c.department_id ORDER BY ${QUEUE_ORDER_SQL})::int AS place
            FROM calls c WHERE c.tenant_id = $1 AND c.department_id = ANY ($2) AND c.status = 'queued'
          ) line WHERE place <= $3 ORDER BY department_id, place`,
        values: [tenantId, departmentIds, limit],
      },
    ]);
    return rows.map(({ queue_size, place: _place, ...item }) => ({ item, queue_size }));
  }
}
