import type { Json } from '../http/api';
import { expectStatus, type TestTenant } from '../builders';
import { until } from '../until';
import type { TestConnection } from '../database/database';

/** A URL without a server: connections are refused immediately. */
export const UNREACHABLE_URL = 'http://127.0.0.1:9/hook';

/** Creates a webhook. @returns the response data with its secret */
export async function createWebhook(
  tenant: TestTenant,
  url = UNREACHABLE_URL,
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

/** Whether the last attempt of a delivery has ended. */
async function hasEnded(tenant: TestTenant, webhookId: string, { id }: Json): Promise<boolean> {
  const answer = await tenant.owner.api.get(`/api/v1/webhooks/${webhookId}/deliveries/${id}`);
  return answer.body.data.attempt_log.at(-1)?.duration_ms !== null;
}

/** Waits until the newest delivery has the expected fields and no attempt in progress. @returns it */
export function waitForDelivery(tenant: TestTenant, webhookId: string, expected: object): Promise<Json> {
  let latest: Json;
  return until(
    async () => {
      [latest] = await deliveriesOf(tenant, webhookId);
      const matches = () => Object.entries(expected).every(([name, value]) => latest?.[name] === value);
      if (!latest || !matches() || !(await hasEnded(tenant, webhookId, latest))) return false;
      [latest] = await deliveriesOf(tenant, webhookId);
      return matches() && latest;
    },
    () => `the delivery is ${JSON.stringify(latest)}`,
  );
}

/** Waits until each delivery has had `count` attempts and none is in progress. @param count any number by default */
export async function waitForAttempts(tenant: TestTenant, webhookId: string, count?: number): Promise<void> {
  await until(
    async () => {
      const deliveries = await deliveriesOf(tenant, webhookId);
      const haveEnded = await Promise.all(
        deliveries.map((delivery) => hasEnded(tenant, webhookId, delivery)),
      );
      return (
        haveEnded.every(Boolean) &&
        deliveries.every(({ attempts }) => count === undefined || attempts === count)
      );
    },
    () => `not every delivery has had ${count ?? 'all its'} attempts`,
  );
}

/** Keeps all instances from making the deliveries of the tenant's events. @returns ends it */
export async function holdEvents(db: TestConnection, { id }: TestTenant): Promise<() => Promise<unknown>> {
  const key = `hashtextextended('webhook events ${id}', 0)`;
  await db.query(`SELECT pg_advisory_lock(${key})`);
  return () => db.query(`SELECT pg_advisory_unlock(${key})`);
}

/** Waits until the deliveries of the tenant's events have been made. */
export async function untilFannedOut(db: TestConnection, tenant: TestTenant): Promise<void> {
  await until(async () => {
    const { rows } = await db.query('SELECT FROM webhook_events WHERE tenant_id = $1 LIMIT 1', [tenant.id]);
    return rows.length === 0;
  });
}

/** Inserts a failed delivery that requests may redeliver. @returns its id */
export async function insertFailedDelivery(
  db: TestConnection,
  tenantId: string,
  webhookId: string,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, payload, status, attempts, failures, error, inserted_at)
     VALUES ($1, $2, 'department.created', '{"type":"department.created"}', 'failed', 7, 7, 'connection refused', now())
     RETURNING id`,
    [tenantId, webhookId],
  );
  return rows[0]?.id ?? '';
}
