import { randomUUID } from 'node:crypto';
import { cnpj } from 'cpf-cnpj-validator';
import type { Answer, Json } from '../http/api';
import { expectStatus, login, type Member, PASSWORD } from '../builders';
import { GATEWAY_TOKEN } from '../authorisation/tenant-data';
import { startTestApp, type TestApp } from '../test-app';
import { until } from '../until';

export const PAYMENT_WEBHOOK_PATH = '/api/webhooks/asaas';
export const GATEWAY_ENV = { ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN, TRUST_PROXY: 'loopback' };

/** The only response body that the gateway accepts as success. */
export const SUCCESS_BODY = '{"data":{"received":true}}';

const SAO_PAULO_BEHIND_UTC_MS = 3 * 3_600_000;
/** A time in the format of the gateway: São Paulo time (no daylight saving time since 2019) in seconds, without a zone. */
export const toGatewayTime = (moment: Date) =>
  new Date(moment.getTime() - SAO_PAULO_BEHIND_UTC_MS).toISOString().slice(0, 19).replace('T', ' ');

export const chargeId = () => `pay_${randomUUID()}&1`;

interface NotificationOptions {
  /** The id of the charge, by default a new one. */
  charge?: string;
  /** The time of the event, by default a fixed one. */
  at?: Date;
  /** Fields that override those of the notification. */
  body?: Json;
  /** Fields that override those of its payment. */
  payment?: Json;
}

/** A notification of Asaas (https://docs.asaas.com/docs/webhook-para-cobrancas). Its ids contain an ampersand. */
export function notification(
  tenantId: string | null,
  event: string,
  details: NotificationOptions = {},
): Json {
  const { charge = chargeId(), at = new Date('2026-06-12T19:45:03Z'), body, payment } = details;
  const day = toGatewayTime(at).slice(0, 10);
  return {
    id: `evt_${randomUUID().replaceAll('-', '')}&${Math.trunc(Math.random() * 1e9)}`,
    event,
    dateCreated: toGatewayTime(at),
    payment: {
      object: 'payment',
      id: charge,
      dateCreated: day,
      customer: 'cus_G7Dvo4iphUNk',
      subscription: 'sub_VXJBYgP2u0eO',
      installment: null,
      dueDate: day,
      originalDueDate: day,
      value: 99,
      netValue: 94.51,
      description: 'Assinatura',
      billingType: 'CREDIT_CARD',
      status: event.replace('PAYMENT_', ''),
      confirmedDate: day,
      paymentDate: null,
      clientPaymentDate: day,
      externalReference: tenantId,
      deleted: false,
      refunds: null,
      ...payment,
    },
    ...body,
  };
}

let addresses = 0;
/** A new client address per delivery, so that deliveries do not share a rate limit. */
const newAddress = () => `2001:db8:${(++addresses).toString(16)}::1`;

/** Sends a notification as the gateway does. @param body JSON, or a string or bytes that are sent unchanged */
export function deliver(
  { api }: Pick<TestApp, 'api'>,
  body: unknown,
  headers: Record<string, string> = { 'asaas-access-token': GATEWAY_TOKEN },
): Promise<Answer> {
  return api.post(PAYMENT_WEBHOOK_PATH, body, { headers: { 'x-forwarded-for': newAddress(), ...headers } });
}

/** Checks that the gateway accepts the response as success. */
export function expectAccepted({ status, body }: Answer): void {
  expect({ status, body: JSON.stringify(body) }).toEqual({ status: 200, body: SUCCESS_BODY });
}

/** Delivers one notification, which must be accepted. @returns its body */
export async function sendNotification(
  test: TestApp,
  tenantId: string | null,
  event: string,
  details: NotificationOptions = {},
): Promise<Json> {
  const body = notification(tenantId, event, details);
  expectAccepted(await deliver(test, body));
  return body;
}

/** Delivers a notification and waits until it has been applied. @returns its body */
export async function applyNotification(...details: Parameters<typeof sendNotification>): Promise<Json> {
  const body = await sendNotification(...details);
  await waitUntilApplied(details[0]);
  return body;
}

/** Waits until all delivered notifications have been applied. */
export function waitUntilApplied(test: Pick<TestApp, 'db'>, timeoutMs?: number): Promise<boolean> {
  return until(
    async () => (await countPendingJobs(test)) === 0,
    () => 'notifications are still waiting to be applied',
    timeoutMs,
  );
}

export async function countPendingJobs({ db }: Pick<TestApp, 'db'>): Promise<number> {
  const { rows } = await db.query(
    `SELECT count(*)::int AS jobs FROM pgboss.job
     WHERE name = 'apply-payments' AND state IN ('created', 'retry', 'active')`,
  );
  return rows[0].jobs;
}

/** Starts an application with the gateway configured. */
export const startGatewayApp = () => startTestApp({ env: GATEWAY_ENV });

export interface PayingTenant {
  id: string;
  slug: string;
  owner: Member;
}

/** Registers a tenant that has chosen a plan and has not paid. */
export async function registerPendingTenant(test: TestApp, plan = 'basic'): Promise<PayingTenant> {
  const email = `${randomUUID()}@example.com`;
  const answer = await test.api.post('/api/signup/register', {
    company_name: 'Paying',
    document: cnpj.generate(),
    document_type: 'cnpj',
    admin_name: 'Paula Payer',
    admin_email: email,
    admin_password: PASSWORD,
    plan,
  });
  expectStatus(answer, 201);
  const { id, slug } = answer.body.data.tenant;
  return { id, slug, owner: await login(test, slug, email) };
}

/** Inserts tenants without users that have chosen a plan and have not paid. @returns their ids */
export async function insertPendingTenants(
  { db }: Pick<TestApp, 'db'>,
  count: number,
  plan = 'basic',
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `WITH created AS (
       INSERT INTO tenants (name, slug) SELECT 'Paying', gen_random_uuid()::text FROM generate_series(1, $1)
       RETURNING id
     ), subscribed AS (
       INSERT INTO subscriptions (tenant_id, plan, status) SELECT id, $2, 'pending' FROM created
     )
     SELECT id FROM created`,
    [count, plan],
  );
  return rows.map(({ id }) => id);
}

/** The status and the dates of the subscription. */
export async function subscriptionState({ db }: Pick<TestApp, 'db'>, tenantId: string): Promise<Json> {
  const { rows } = await db.query(
    `SELECT status, current_period_start, current_period_end, grace_deadline
     FROM subscriptions WHERE tenant_id = $1`,
    [tenantId],
  );
  return rows[0];
}

export async function storedEvents({ db }: Pick<TestApp, 'db'>, eventId: string): Promise<Json[]> {
  const { rows } = await db.query('SELECT * FROM gateway_events WHERE event_id = $1', [eventId]);
  return rows;
}
