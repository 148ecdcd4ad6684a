import { CallbackSweeper } from '../../../src/calls/callbacks/callback-sweeper';
import { CallbackInviter } from '../../../src/routing/callbacks/callback-inviter';
import { agentOnCall, expectStatus, type TestTenant } from '../builders';
import { callRow } from '../database/rows';
import type { Answer, Json } from '../http/api';
import type { TestApp } from '../test-app';
import { until } from '../until';

/** A department that calls back, without agents. Its calls wait for longer than the tests move the clock. */
export const unstaffedCallingQueue = (tenant: TestTenant, input: Record<string, unknown> = {}) =>
  tenant.queue({ callback_enabled: true, max_wait_time: 86_400, ...input });

/** As unstaffedCallingQueue, with an agent who is on a call, so that the first callback of the line is due. */
export async function callingQueue(tenant: TestTenant, input: Record<string, unknown> = {}) {
  const queue = await unstaffedCallingQueue(tenant, input);
  await agentOnCall(tenant, [queue.department.id]);
  return queue;
}

/** Requests a callback over HTTP. @param input by default each call has an address of its own */
export function requestCallback(
  { api }: TestApp,
  { call_id, websocket_token }: Json,
  input: Json = { channel: 'email', email: `eva.${call_id}@example.com` },
): Promise<Answer> {
  return api.as(websocket_token).post(`/api/v1/call/callback/${call_id}`, input);
}

/** As requestCallback. @throws Error unless the answer is 200 */
export async function callbackRequested(test: TestApp, entry: Json, input?: Json): Promise<Json> {
  const answer = await requestCallback(test, entry, input);
  expectStatus(answer, 200);
  return answer.body.data;
}

export const cancelCallback = ({ api }: TestApp, { call_id, websocket_token }: Json): Promise<Answer> =>
  api.as(websocket_token).delete(`/api/v1/call/callback/${call_id}`);

/** Resumes a call. @param token a websocket_token or that of a resume link */
export const resume = ({ api }: TestApp, token: string): Promise<Answer> =>
  api.post('/api/v1/call/resume', { websocket_token: token });

/** The token of a resume link. */
export const tokenOf = (url: string): string => new URL(url).hash.replace('#resume=', '');

/** The row of the callback of a call. */
export async function callbackRow({ db }: TestApp, callId: string): Promise<Json> {
  return (await db.query('SELECT * FROM callbacks WHERE call_id = $1', [callId])).rows[0];
}

/** Waits until the callback has this status: the application's own sweeps invite customers and end invitations. */
export async function untilCallback(test: TestApp, callId: string, status: string): Promise<Json> {
  let found: string | undefined;
  return until(
    async () => {
      const row = await callRow(test, callId);
      found = row.callback_status;
      return found === status && row;
    },
    () => `the callback is ${found} instead of ${status}`,
  );
}

/** Invites whoever is due, and ends invitations that have expired. */
export async function sweepCallbacks(test: TestApp): Promise<void> {
  await test.get(CallbackInviter).sweep();
  await test.get(CallbackSweeper).sweep();
}
