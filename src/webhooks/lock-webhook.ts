import type { Transaction } from '../platform/database/transaction';
import { notFound, unprocessable } from '../platform/http/errors/api-error';
import type { WebhookDto } from './webhook.dto';

export type LockedWebhook = Pick<WebhookDto, 'url' | 'events' | 'description' | 'active'>;

/** Locks a webhook. It is always locked before its deliveries, so that transactions cannot deadlock. @throws 404 */
export async function lockWebhook(tx: Transaction, tenantId: string, id: string): Promise<LockedWebhook> {
  const webhook = await tx.one<LockedWebhook>(
    `SELECT url, events, description, active FROM webhooks
     WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [tenantId, id],
  );
  if (!webhook) throw notFound('Webhook');
  return webhook;
}

/** Locks a webhook that deliveries are sent to. @throws 404; 422 `webhook_inactive` */
export async function lockActiveWebhook(tx: Transaction, tenantId: string, id: string): Promise<void> {
  const { active } = await lockWebhook(tx, tenantId, id);
  if (!active) throw unprocessable('webhook_inactive', 'Nothing is sent to this webhook. Activate it first.');
}
