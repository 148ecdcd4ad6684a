import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { selectList } from '../platform/database/columns';
import { Database } from '../platform/database/database';
import { notFound } from '../platform/http/errors/api-error';
import { Filter } from '../platform/database/filter';
import { ListQuery } from '../platform/database/list-query';
import type { ListSource } from '../platform/database/list-statements';
import type { Page } from '../platform/database/page';
import type { PageQuery } from '../platform/http/lists/pagination';
import { UsageRegistry } from '../plans/usage-registry';
import { onlyVisible, type Viewer } from '../identity/users/visible-records';
import { CompanyDays } from '../tenancy/company-days';
import { searchPattern } from '../platform/text/search-pattern';
import { ACCESS_LINK_COLUMNS, ACCESS_LINK_TABLES } from './access-link.columns';
import {
  type AccessLinkDto,
  type AccessLinkListQuery,
  LINK_SORTABLE,
  LINK_STATUS_SQL,
} from './access-link.dto';
import { linkUrl } from './link-url';

const COLUMNS = selectList(ACCESS_LINK_COLUMNS);

/** SQL that selects the links of a department `d` that can still be used. Each half reads a range of access_links_open_idx. */
const openLinks = (expiry: string) => `SELECT FROM access_links l
  WHERE l.department_id = d.id AND l.cancelled_at IS NULL AND l.expires_at ${expiry}
    AND (l.max_uses IS NULL OR l.use_count < l.max_uses)`;

/**
 * SQL that counts the links of tenant $1 towards the limit of its plan. Those of deleted departments cannot be used, so they do
 * not count; those of inactive ones do, because they can be used again. @param now the parameter of the current time
 */
export const countActiveLinks = (now: string) => `SELECT COALESCE(sum(open.links), 0) FROM departments d
  CROSS JOIN LATERAL (SELECT count(*) AS links
    FROM (${openLinks('IS NULL')} UNION ALL ${openLinks(`> ${now}`)}) both_ranges) open
  WHERE d.tenant_id = $1`;

@Injectable()
export class AccessLinkList implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
    private readonly days: CompanyDays,
    private readonly clock: Clock,
    private readonly usage: UsageRegistry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.usage.register('active_links', countActiveLinks('$3'));
  }

  async page(viewer: Viewer, query: AccessLinkListQuery): Promise<Page<AccessLinkDto>> {
    return this.lists.page<AccessLinkDto>(viewer.tenant_id, await this.source(viewer, query), query);
  }

  /** The list as SQL, for the endpoint and for the export. */
  async source(viewer: Viewer, query: Omit<AccessLinkListQuery, keyof PageQuery>): Promise<ListSource> {
    const { from, until } = await this.days.range(viewer.tenant_id, query);
    const filter = this.visibleFilter(viewer)
      .andIf(`${LINK_STATUS_SQL} = ?`, query.status)
      .andIf('d.id = ?', query.department_id)
      .andIf('l.customer_id = ?', query.customer_id)
      .andIf('l.inserted_at >= ?', from)
      .andIf('l.inserted_at < ?', until)
      .andSearch('l.label ILIKE ?', searchPattern(query.search));
    return {
      select: COLUMNS,
      from: ACCESS_LINK_TABLES,
      filter,
      sortable: LINK_SORTABLE,
      indexedSorts: ['inserted_at'],
      id: 'l.id',
    };
  }

  /** @throws 404, also for a link that the viewer may not see */
  async get(viewer: Viewer, id: string): Promise<AccessLinkDto> {
    const filter = this.visibleFilter(viewer).and('l.id = ?', id);
    const [rows] = await this.database.readTenant<[AccessLinkDto]>(viewer.tenant_id, [
      { text: `SELECT ${COLUMNS} FROM ${ACCESS_LINK_TABLES} ${filter.sql}`, values: filter.values },
    ]);
    const link = rows[0];
    if (!link) throw notFound('Access link');
    return link;
  }

  /** Returns the links in the order of `ids`. */
  async getMany(viewer: Viewer, ids: string[]): Promise<AccessLinkDto[]> {
    const filter = this.visibleFilter(viewer).and('l.id = ANY (?)', ids);
    const [rows] = await this.database.readTenant<[AccessLinkDto]>(viewer.tenant_id, [
      {
        text: `SELECT ${COLUMNS} FROM ${ACCESS_LINK_TABLES} ${filter.sql} ORDER BY array_position($${filter.values.length}, l.id)`,
        values: filter.values,
      },
    ]);
    return rows;
  }

  /** Binds $1 and $2, which COLUMNS refers to. A statement must use every parameter that it is given. */
  private visibleFilter(viewer: Viewer): Filter {
    const filter = new Filter()
      .parameter('timestamptz', this.clock.now())
      .parameter('text', linkUrl(this.config.publicUrl))
      .and('l.tenant_id = ?', viewer.tenant_id);
    return onlyVisible(filter, 'link', viewer);
  }
}
