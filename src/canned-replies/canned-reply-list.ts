import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { Filter } from '../platform/database/filter';
import { ListQuery } from '../platform/database/list-query';
import type { Page } from '../platform/database/page';
import { notFound } from '../platform/http/errors/api-error';
import { searchPattern } from '../platform/text/search-pattern';
import { CANNED_REPLY_SORTABLE, type CannedReplyDto, type CannedReplyListQuery } from './canned-reply.dto';

const COLUMNS = 'r.id, r.title, r.text, r.shortcut, r.inserted_at, r.updated_at';

@Injectable()
export class CannedReplyList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
  ) {}

  page(tenantId: string, query: CannedReplyListQuery): Promise<Page<CannedReplyDto>> {
    const filter = new Filter()
      .and('r.tenant_id = ?', tenantId)
      .andSearch('(r.title ILIKE ? OR r.text ILIKE ? OR r.shortcut ILIKE ?)', searchPattern(query.search));
    return this.lists.page<CannedReplyDto>(
      tenantId,
      {
        select: COLUMNS,
        from: 'canned_replies r',
        filter,
        sortable: CANNED_REPLY_SORTABLE,
        indexedSorts: ['title'],
        id: 'r.id',
      },
      query,
    );
  }

  /** @throws 404 */
  async get(tenantId: string, id: string): Promise<CannedReplyDto> {
    const [rows] = await this.database.readTenant<[CannedReplyDto]>(tenantId, [
      {
        text: `SELECT ${COLUMNS} FROM canned_replies r WHERE r.tenant_id = $1 AND r.id = $2`,
        values: [tenantId, id],
      },
    ]);
    const reply = rows[0];
    if (!reply) throw notFound('Canned reply');
    return reply;
  }
}
