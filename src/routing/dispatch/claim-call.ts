import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { MakeOffer } from '../offers/make-offer';
import { OfferingCapacity } from '../offers/offering-capacity';
import { type CallInLine, SelectAgent } from '../offers/select-agent';

/**
 * How a claim ended: `taken` if the call is locked by another transaction or may no longer be offered, or the agent is no
 * longer available; `no_agent` if no available agent can take it; `limit` if the plan allows no other call.
 */
export type ClaimResult = { kind: 'offered'; user_id: string } | { kind: 'taken' | 'no_agent' | 'limit' };

/** Locks the call, if it may be offered. */
const LOCK_CALL = `SELECT d.offer_timeout
  FROM calls c JOIN line_entries e ON e.call_id = c.id AND e.department_id = $3
    JOIN departments d ON d.tenant_id = c.tenant_id AND d.id = $3 AND d.active AND d.routing = 'automatic'
    JOIN tenants t ON t.id = c.tenant_id AND t.suspended_at IS NULL
  WHERE c.tenant_id = $1 AND c.id = $2 AND c.status = 'queued' AND e.present_until > $4 AND e.present
  FOR NO KEY UPDATE OF c SKIP LOCKED`;

/** Offers a waiting call to the best agent, in one transaction. */
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

  /** Rows that other transactions have locked are passed over. */
  claim(call: CallInLine): Promise<ClaimResult> {
    return this.database.tenant(call.tenant_id, (tx) => this.claimIn(tx, call));
  }

  private async claimIn(tx: Transaction, call: CallInLine): Promise<ClaimResult> {
    const { tenant_id, call_id, department_id } = call;
    const now = this.clock.now();
    this.events.expect(tx, tenant_id, ['call.offered', 'agent.state_changed']);
    const [hasRoom, locked, userId, candidates] = await settleAll([
      this.capacity.hasRoom(tx, tenant_id, call_id),
      tx.one<{ offer_timeout: number }>(LOCK_CALL, [tenant_id, call_id, department_id, now]),
      this.agents.lockBest(tx, call, now),
      this.agents.candidates(tx, call, now),
    ]);
    if (!locked) return { kind: 'taken' };
    if (!userId) return { kind: 'no_agent' };
    if (!hasRoom) return { kind: 'limit' };
    const made = await this.offers.insert(
      tx,
      { ...call, user_id: userId, kind: 'line', offered_by: null, note: null },
      locked.offer_timeout,
      candidates,
    );
    return made ? { kind: 'offered', user_id: userId } : { kind: 'taken' };
  }
}
