import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { naturalOrder } from '../platform/database/natural-order';
import { notFound } from '../platform/http/errors/api-error';
import { Filter } from '../platform/database/filter';
import { ListQuery } from '../platform/database/list-query';
import type { Page } from '../platform/database/page';
import { searchPattern } from '../platform/text/search-pattern';
import { TAG_SORTABLE, type TagDto, type TagListQuery, type TagTreeDto } from './tag.dto';
import { buildTagTree } from './tag-tree';

const COLUMNS = 't.id, t.name, t.color, t.parent_id, t.description, t.inserted_at, t.updated_at';

@Injectable()
export class TagList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
  ) {}

  page(tenantId: string, query: TagListQuery): Promise<Page<TagDto>> {
    const filter = new Filter()
      .and('t.tenant_id = ?', tenantId)
      .andIf('t.parent_id = ?', query.parent_id)
      .andSearch('t.name ILIKE ?', searchPattern(query.search));
    return this.lists.page<TagDto>(
      tenantId,
      { select: COLUMNS, from: 'tags t', filter, sortable: TAG_SORTABLE, indexedSorts: ['name'], id: 't.id' },
      query,
    );
  }

  /** All tags as trees; siblings are sorted by name. */
  async tree(tenantId: string): Promise<TagTreeDto[]> {
    const [tags] = await this.database.readTenant<[TagDto]>(tenantId, [
      {
        text: `SELECT ${COLUMNS} FROM tags t WHERE t.tenant_id = $1 ORDER BY ${naturalOrder('t.name')}, t.id`,
        values: [tenantId],
      },
    ]);
    return buildTagTree(tags);
  }

  /** @throws 404 */
  async get(tenantId: string, id: string): Promise<TagDto> {
    const [rows] = await this.database.readTenant<[TagDto]>(tenantId, [
      {
        text: `SELECT ${COLUMNS} FROM tags t WHERE t.tenant_id = $1 AND t.id = $2`,
        values: [tenantId, id],
      },
    ]);
    const tag = rows[0];
    if (!tag) throw notFound('Tag');
    return tag;
  }
}
