import type { Client } from 'pg';
import type { Json } from '../http/api';
import { expectStatus, type TestTenant } from '../builders';
import { until } from '../until';

/** Where nobody listens; connections are refused at once. */
export const NOWHERE = 'http://127.0.0.1:9/hook';

/** @returns the webhook with its secret */
export async function hook(
  tenant: TestTenant,
  url = NOWHERE,
  events: string[] = ['department.created'],
): Promise<Json> {
  const answer = await tenant.owner.api.post('/api/v1/webhooks', { url, events });
  expectStatus(answer, 201);
  return answer.body.data;
}

/** The webhook's deliveries, newest first. */
export async function deliveriesOf(tenant: TestTenant, webhookId: string, query = ''): Promise<Json[]> {
  const answer = await tenant.owner.api.get(`/api/v1/webhooks/${webhookId}/deliveries${query}`);
  expectStatus(answer, 200);
  return answer.body.data;
}

/** Whether the last try of a delivery is over. */
async function isOver(tenant: TestTenant, webhookId: string, { id }: Json): Promise<boolean> {
  const answer = await tenant.owner.api.get(`/api/v1/webhooks/${webhookId}/deliveries/${id}`);
  return answer.body.data.attempt_log.at(-1)?.duration_ms !== null;
}

/** Until the newest delivery is in such a state, and no try of it under way. */
export function settled(tenant: TestTenant, webhookId: string, expected: object): Promise<Json> {
  let seen: Json;
  return until(
    async () => {
      [seen] = await deliveriesOf(tenant, webhookId);
      const fits = () => Object.entries(expected).every(([name, value]) => seen?.[name] === value);
      if (!seen || !fits() || !(await isOver(tenant, webhookId, seen))) return false;
      [seen] = await deliveriesOf(tenant, webhookId);
      return fits() && seen;
    },
    () => `the delivery is ${JSON.stringify(seen)}`,
  );
}

/** Until each delivery has been tried so often, and no try is under way. */
export async function allTried(tenant: TestTenant, webhookId: string, count: number): Promise<void> {
  await until(
    async () => {
      const deliveries = await deliveriesOf(tenant, webhookId);
      const over = await Promise.all(deliveries.map((delivery) => isOver(tenant, webhookId, delivery)));
      return over.every(Boolean) && deliveries.every(({ attempts }) => attempts === count);
    },
    () => `not every delivery was tried ${count} times`,
  );
}

/** A failed delivery of something that happened, made for requests to use up. */
export async function failedDelivery(db: Client, tenantId: string, webhookId: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, payload, status, attempts, failures, error, inserted_at)
     VALUES ($1, $2, 'department.created', '{"type":"department.created"}', 'failed', 7, 7, 'connection refused', now())
     RETURNING id`,
    [tenantId, webhookId],
  );
  return rows[0]?.id ?? '';
}
