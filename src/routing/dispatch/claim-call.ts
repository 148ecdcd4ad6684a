import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { MakeOffer } from '../offers/make-offer';
import { OfferingCapacity } from '../offers/offering-capacity';
import { type CallInLine, type CallWithCandidates, SelectAgent } from '../offers/select-agent';

/**
 * How a claim ended: `call_taken` if the call is locked by another transaction or may no longer be offered, `agent_taken` if
 * that is true of the agent, `limit` if the plan allows no other call.
 */
export type ClaimResult = 'offered' | 'call_taken' | 'agent_taken' | 'limit';

const LOCK_CALL = `SELECT own.id AS department_id, own.offer_timeout
  FROM calls c JOIN line_entries e ON e.call_id = c.id AND e.department_id = $3
    JOIN departments d ON d.tenant_id = c.tenant_id AND d.id = $3 AND d.active AND d.routing = 'automatic'
    JOIN departments own ON own.tenant_id = c.tenant_id AND own.id = c.department_id
    JOIN tenants t ON t.id = c.tenant_id AND t.suspended_at IS NULL
  WHERE c.tenant_id = $1 AND c.id = $2 AND c.status = 'queued' AND e.present_until > $4 AND e.present
    AND (c.callback_status IS NULL OR c.callback_status NOT IN ('requested', 'invited'))
  FOR NO KEY UPDATE OF c SKIP LOCKED`;

/**
 * Locks the call, if it may be offered in this line, and selects its own department, whose settings and reports it keeps, and
 * the offer_timeout in seconds. Of a call that has changed since the statement began, PostgreSQL reads only the row that
 * is locked anew, not the entry: so the callback is that of the call.
 */
export const lockCallStatement = ({ tenant_id, call_id, department_id }: CallInLine, now: Date) => ({
  text: LOCK_CALL,
  values: [tenant_id, call_id, department_id, now],
});

interface LockedCall {
  department_id: string;
  offer_timeout: number;
}

/** Offers a waiting call to an agent, in one transaction. */
@Injectable()
export class ClaimCall {
  constructor(
    private readonly database: Database,
    private readonly capacity: OfferingCapacity,
    private readonly agents: SelectAgent,
    private readonly offers: MakeOffer,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Does not wait for rows that other transactions have locked. @param userId one of the candidates */
  claim(call: CallWithCandidates, userId: string): Promise<ClaimResult> {
    return this.database.tenant(call.tenant_id, (tx) => this.claimIn(tx, call, userId));
  }

  private async claimIn(tx: Transaction, call: CallWithCandidates, userId: string): Promise<ClaimResult> {
    const { tenant_id, call_id, candidates } = call;
    const now = this.clock.now();
    const lock = lockCallStatement(call, now);
    this.events.expect(tx, tenant_id, ['call.offered', 'agent.state_changed']);
    const [hasRoom, locked, isAgentLocked] = await settleAll([
      this.capacity.hasRoom(tx, tenant_id, call_id),
      tx.one<LockedCall>(lock.text, lock.values),
      this.agents.lock(tx, call, userId, now),
    ]);
    if (!locked) return 'call_taken';
    if (!isAgentLocked) return 'agent_taken';
    if (!hasRoom) return 'limit';
    const { department_id, offer_timeout } = locked;
    const offer = { tenant_id, call_id, department_id, user_id: userId, kind: 'line' as const };
    const made = await this.offers.insert(
      tx,
      { ...offer, offered_by: null, note: null },
      offer_timeout,
      candidates,
    );
    return made ? 'offered' : 'agent_taken';
  }
}
