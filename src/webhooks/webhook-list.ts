import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { notFound } from '../platform/http/errors/api-error';
import { ListQuery } from '../platform/database/list-query';
import { searchPattern } from '../platform/text/search-pattern';
import { WEBHOOK_SORTABLE, type WebhookDto, type WebhookListQuery } from './webhook.dto';
import { Page } from '../platform/database/page';
import { Filter } from '../platform/database/filter';

/** The fields of WebhookDto; secrets are never read. */
const COLUMNS = `w.id, w.url, w.events, w.description, w.active, w.failing_since, w.disabled_at, w.disabled_reason,
  w.previous_secret_expires_at, w.inserted_at, w.updated_at`;

/** Reads webhooks. */
@Injectable()
export class WebhookList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
  ) {}

  page(tenantId: string, query: WebhookListQuery): Promise<Page<WebhookDto>> {
    const filter = new Filter()
      .and('w.tenant_id = ? AND w.deleted_at IS NULL', tenantId)
      .andSearch('(w.url ILIKE ? OR w.description ILIKE ?)', searchPattern(query.search));
    const source = { select: COLUMNS, from: 'webhooks w', filter, indexedSorts: ['inserted_at'], id: 'w.id' };
    return this.lists.page<WebhookDto>(tenantId, { ...source, sortable: WEBHOOK_SORTABLE }, query);
  }

  /** @throws 404 */
  async get(tenantId: string, id: string): Promise<WebhookDto> {
    const [rows] = await this.database.readTenant<[WebhookDto]>(tenantId, [
      {
        text: `SELECT ${COLUMNS} FROM webhooks w
               WHERE w.tenant_id = $1 AND w.id = $2 AND w.deleted_at IS NULL`,
        values: [tenantId, id],
      },
    ]);
    const webhook = rows[0];
    if (!webhook) throw notFound('Webhook');
    return webhook;
  }
}
