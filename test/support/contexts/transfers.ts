import { CallTransitions } from '../../../src/calls/machine/call-transitions';
import { Database } from '../../../src/platform/database/database';
import { AcceptTransfer } from '../../../src/routing/offers/accept-transfer';
import type { Offer } from '../../../src/routing/offers/offer.entity';
import { expectStatus, type Member, type TestTenant } from '../builders';
import type { Answer, Json } from '../http/api';
import type { TestApp } from '../test-app';

/** Requests the transfer of a call. */
export const requestTransfer = (member: Member, callId: string, input: Json): Promise<Answer> =>
  member.api.post(`/api/v1/calls/${callId}/transfer`, input);

/** Transfers a call. @returns the response data. @throws Error unless the transfer succeeds */
export async function transfer(member: Member, callId: string, input: Json): Promise<Json> {
  const answer = await requestTransfer(member, callId, input);
  expectStatus(answer, 200);
  return answer.body.data;
}

/** Adds a customer to the queue, and starts their call. @returns the response of the join */
export async function activeCall(tenant: TestTenant, link: { token: string }, agent: Member): Promise<Json> {
  const entry = await tenant.join(link);
  expectStatus(await agent.api.post(`/api/v1/calls/${entry.call_id}/start`), 200);
  return entry;
}

/** The offers of a call. */
export async function offersOf({ db }: TestApp, callId: string): Promise<Json[]> {
  const { rows } = await db.query('SELECT * FROM offers WHERE call_id = $1 ORDER BY offered_at', [callId]);
  return rows;
}

/** Accepts the pending offer of a transfer. */
export async function acceptTransfer(test: TestApp, tenant: TestTenant, callId: string): Promise<void> {
  await test.get(Database).tenant(tenant.id, async (tx) => {
    const call = await test.get(CallTransitions).lock(tx, tenant.id, callId);
    await tx.query(
      `SELECT FROM presences WHERE user_id = $1
         OR user_id IN (SELECT user_id FROM offers WHERE call_id = $2 AND status = 'pending')
       ORDER BY user_id FOR NO KEY UPDATE`,
      [call.user_id, callId],
    );
    const offer = await tx.one<Offer>(
      `UPDATE offers SET status = 'accepted', ended_at = $2 WHERE call_id = $1 AND status = 'pending' RETURNING *`,
      [callId, test.clock.now()],
    );
    if (!offer) throw new Error('The call is offered to no agent');
    await test.get(AcceptTransfer).accept(tx, call, offer);
  });
}

/** A customer's message that a peer would send to begin a connection. */
export const SDP_OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };
