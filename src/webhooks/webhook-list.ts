import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { notFound } from '../platform/http/errors/api-error';
import { startOfRange, endOfRange } from '../platform/http/lists/date-filter';
import { Filter } from '../platform/database/filter';
import { ListQuery } from '../platform/database/list-query';
import type { Page } from '../platform/database/page';
import { searchPattern } from '../platform/text/search-pattern';
import {
  type AttemptDto,
  DELIVERY_SORTABLE,
  type DeliveryDetailsDto,
  type DeliveryDto,
  type DeliveryListQuery,
} from './deliveries/delivery.dto';
import { WEBHOOK_SORTABLE, type WebhookDto, type WebhookListQuery } from './webhook.dto';

/** Never the secrets. */
const WEBHOOK_COLUMNS = `w.id, w.url, w.events, w.description, w.active, w.failing_since, w.switched_off_at,
  w.switched_off_reason, w.previous_secret_expires_at, w.inserted_at, w.updated_at`;

const DELIVERY_COLUMNS = `d.id, d.event, d.status, d.attempts, d.response_status, d.response_body, d.error,
  d.duration_ms, d.payload, d.next_attempt_at, d.inserted_at`;

@Injectable()
export class WebhookList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
  ) {}

  page(tenantId: string, query: WebhookListQuery): Promise<Page<WebhookDto>> {
    const filter = new Filter()
      .and('w.tenant_id = ?', tenantId)
      .andIf('(w.url ILIKE ? OR w.description ILIKE ?)', searchPattern(query.search));
    const source = { select: WEBHOOK_COLUMNS, from: 'webhooks w', filter, id: 'w.id' };
    return this.lists.page<WebhookDto>(tenantId, { ...source, sortable: WEBHOOK_SORTABLE }, query);
  }

  /** @throws 404 */
  async get(tenantId: string, id: string): Promise<WebhookDto> {
    const [rows] = await this.database.readTenant<[WebhookDto]>(tenantId, [
      {
        text: `SELECT ${WEBHOOK_COLUMNS} FROM webhooks w WHERE w.tenant_id = $1 AND w.id = $2`,
        values: [tenantId, id],
      },
    ]);
    const webhook = rows[0];
    if (!webhook) throw notFound('Webhook');
    return webhook;
  }

  /** @throws 404 for the webhook */
  async deliveries(tenantId: string, id: string, query: DeliveryListQuery): Promise<Page<DeliveryDto>> {
    await this.get(tenantId, id);
    const filter = new Filter()
      .and('d.tenant_id = ?', tenantId)
      .and('d.webhook_id = ?', id)
      .andIf('d.status = ?', query.status)
      .andIf('d.event = ?', query.event)
      .andIf('d.inserted_at >= ?', startOfRange(query.date_from))
      .andIf('d.inserted_at < ?', endOfRange(query.date_to));
    const source = { select: DELIVERY_COLUMNS, from: 'webhook_deliveries d', filter, id: 'd.id' };
    return this.lists.page<DeliveryDto>(tenantId, { ...source, sortable: DELIVERY_SORTABLE }, query);
  }

  /** With every try. @throws 404 */
  async delivery(tenantId: string, webhookId: string, id: string): Promise<DeliveryDetailsDto> {
    const [deliveries, tries] = await this.database.readTenant<[DeliveryDto, AttemptDto]>(tenantId, [
      {
        text: `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries d
               WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND d.id = $3`,
        values: [tenantId, webhookId, id],
      },
      {
        text: `SELECT number, response_status, response_body, error, duration_ms, inserted_at FROM webhook_attempts
               WHERE tenant_id = $1 AND delivery_id = $2 ORDER BY number`,
        values: [tenantId, id],
      },
    ]);
    const delivery = deliveries[0];
    if (!delivery) throw notFound('Delivery');
    return { ...delivery, tries };
  }
}
