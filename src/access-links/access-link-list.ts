import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import { notFound } from '../platform/http/errors/api-error';
import { Filter, ListQuery, type ListSource } from '../platform/database/list-query';
import type { Page, PageQuery } from '../platform/http/lists/pagination';
import { searchPattern } from '../platform/text/search-pattern';
import {
  type AccessLinkDto,
  type AccessLinkListQuery,
  LINK_SORTABLE,
  LINK_STATUS_SQL,
} from './access-link.dto';

const COLUMNS = `l.id, l.token, $2 || l.token AS url, l.department_id,
  COALESCE(d.name, l.department_name) AS department_name, l.customer_id, l.label,
  ${LINK_STATUS_SQL} AS status, l.max_uses, l.use_count, l.expires_at, l.created_by, l.inserted_at`;
const FROM = 'access_links l LEFT JOIN departments d ON d.id = l.department_id';

@Injectable()
export class AccessLinkList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  page(tenantId: string, query: AccessLinkListQuery): Promise<Page<AccessLinkDto>> {
    return this.lists.page<AccessLinkDto>(tenantId, this.source(tenantId, query), query);
  }

  /** The list as SQL, for the endpoint and for the export. */
  source(tenantId: string, query: Omit<AccessLinkListQuery, keyof PageQuery>): ListSource {
    const filter = this.baseFilter()
      .and('l.tenant_id = ?', tenantId)
      .andIf(`${LINK_STATUS_SQL} = ?`, query.status)
      .andIf('l.department_id = ?', query.department_id)
      .andIf('l.customer_id = ?', query.customer_id)
      .andIf('l.label ILIKE ?', searchPattern(query.search));
    return { select: COLUMNS, from: FROM, filter, sortable: LINK_SORTABLE, id: 'l.id' };
  }

  /** @throws 404 */
  async get(tenantId: string, id: string): Promise<AccessLinkDto> {
    const filter = this.baseFilter().and('l.tenant_id = ?', tenantId).and('l.id = ?', id);
    const [rows] = await this.database.readTenant<[AccessLinkDto]>(tenantId, [
      { text: `SELECT ${COLUMNS} FROM ${FROM} ${filter.sql}`, values: filter.values },
    ]);
    const link = rows[0];
    if (!link) throw notFound('Access link');
    return link;
  }

  /** Returns the links in the order of `ids`. */
  async getMany(tenantId: string, ids: string[]): Promise<AccessLinkDto[]> {
    const filter = this.baseFilter().and('l.tenant_id = ?', tenantId).and('l.id = ANY (?)', ids);
    const [rows] = await this.database.readTenant<[AccessLinkDto]>(tenantId, [
      {
        text: `SELECT ${COLUMNS} FROM ${FROM} ${filter.sql} ORDER BY array_position($${filter.values.length}, l.id)`,
        values: filter.values,
      },
    ]);
    return rows;
  }

  /** Binds $1 and $2, which COLUMNS refers to. A statement must use every parameter that it is given. */
  private baseFilter(): Filter {
    return new Filter()
      .parameter('timestamptz', this.clock.now())
      .parameter('text', `${this.config.publicUrl}/call/`);
  }
}
