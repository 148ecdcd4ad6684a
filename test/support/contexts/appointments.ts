import type { Json } from '../http/api';
import { expectStatus, type TestTenant } from '../builders';
import type { TestApp } from '../test-app';

export const APPOINTMENTS = '/api/v1/appointments';

const MINUTE_MS = 60_000;

/** The time `minutes` from now on the test clock, as an ISO string. */
export const inMinutes = ({ clock }: TestApp, minutes: number): string =>
  new Date(clock.now().getTime() + minutes * MINUTE_MS).toISOString();

let slots = 0;

/** Half an hour, at least three days from now, that no other appointment of the spec uses. */
export function freeSlot(test: TestApp): { starts_at: string; ends_at: string } {
  const start = 3 * 24 * 60 + 60 * ++slots;
  return { starts_at: inMinutes(test, start), ends_at: inMinutes(test, start + 30) };
}

/** Creates an appointment, by default of the owner. @returns the response data */
export async function book(tenant: TestTenant, input: Json): Promise<Json> {
  const answer = await tenant.owner.api.post(APPOINTMENTS, { user_id: tenant.owner.id, ...input });
  expectStatus(answer, 201);
  return answer.body.data;
}

/** Performs a step such as `confirm`. @returns the response data */
export async function performStep(tenant: TestTenant, id: string, step: string): Promise<Json> {
  const answer = await tenant.owner.api.post(`${APPOINTMENTS}/${id}/${step}`);
  expectStatus(answer, 200);
  return answer.body.data;
}

/** Creates and confirms an appointment. @returns the response data */
export async function bookConfirmed(tenant: TestTenant, input: Json): Promise<Json> {
  return performStep(tenant, (await book(tenant, input)).id, 'confirm');
}

/** Creates a customer. @returns the response data */
export async function createCustomer(tenant: TestTenant, input: Json = {}): Promise<Json> {
  const answer = await tenant.owner.api.post('/api/v1/customers', { name: 'Carla Lima', ...input });
  expectStatus(answer, 201);
  return answer.body.data;
}

/** The row of an appointment. */
export async function appointmentRow({ db }: TestApp, id: string): Promise<Json> {
  return (await db.query('SELECT * FROM appointments WHERE id = $1', [id])).rows[0];
}
