import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { notFound } from '../../platform/http/errors/api-error';
import { ListQuery } from '../../platform/database/list-query';
import { CompanyDays } from '../../tenancy/company-days';
import { WebhookList } from '../webhook-list';
import {
  type AttemptDto,
  DELIVERY_SORTABLE,
  type DeliveryDetailsDto,
  type DeliveryDto,
  type DeliveryListQuery,
} from './delivery.dto';
import { Page } from '../../platform/database/page';
import { Filter } from '../../platform/database/filter';

const COLUMNS = `d.id, d.event, d.status, d.attempts, d.response_status, d.response_body, d.error, d.duration_ms,
  d.payload, d.next_attempt_at, d.inserted_at`;

/** Reads deliveries and their attempts. */
@Injectable()
export class DeliveryList {
  constructor(
    private readonly database: Database,
    private readonly lists: ListQuery,
    private readonly webhooks: WebhookList,
    private readonly days: CompanyDays,
  ) {}

  /** @throws 404 for the webhook */
  async page(tenantId: string, webhookId: string, query: DeliveryListQuery): Promise<Page<DeliveryDto>> {
    await this.webhooks.get(tenantId, webhookId);
    const { from, until } = await this.days.range(tenantId, query);
    const filter = new Filter()
      .and('d.tenant_id = ?', tenantId)
      .and('d.webhook_id = ?', webhookId)
      .andIf('d.status = ?', query.status)
      .andIf('d.event = ?', query.event)
      .andIf('d.inserted_at >= ?', from)
      .andIf('d.inserted_at < ?', until);
    const source = {
      select: COLUMNS,
      from: 'webhook_deliveries d',
      filter,
      indexedSorts: ['inserted_at'],
      id: 'd.id',
    };
    return this.lists.page<DeliveryDto>(tenantId, { ...source, sortable: DELIVERY_SORTABLE }, query);
  }

  /** A delivery with its attempts. @throws 404 */
  async get(tenantId: string, webhookId: string, id: string): Promise<DeliveryDetailsDto> {
    const [deliveries, attempts] = await this.database.readTenant<[DeliveryDto, AttemptDto]>(tenantId, [
      {
        text: `SELECT ${COLUMNS} FROM webhook_deliveries d
               WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND d.id = $3 AND EXISTS (
                 SELECT FROM webhooks w WHERE w.id = d.webhook_id AND w.deleted_at IS NULL)`,
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
    return { ...delivery, attempt_log: attempts };
  }
}
