import type { WebhookTestPayload } from './record.payloads';
import { TEST_EVENT, type WebhookPayload } from './webhook-event-types';

/** The payload of a test delivery. */
export function testPayload(webhookId: string, now: Date): WebhookPayload<WebhookTestPayload> {
  const data = { message: 'This is a test. The webhook works.', webhook_id: webhookId };
  return { type: TEST_EVENT, timestamp: now.toISOString(), data };
}
