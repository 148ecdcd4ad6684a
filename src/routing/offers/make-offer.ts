import { Injectable } from '@nestjs/common';
import { forgetToldWait } from '../../calls/told-wait';
import { Clock } from '../../platform/clock/clock';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { AgentStates } from '../agents/agent-states';
import { OFFER_ROW } from './offer.columns';
import type { OfferRow } from './offer.dto';
import type { Offer } from './offer.entity';
import { type OfferCandidate, OfferMade } from './offer.events';

/** What the caller decides about an offer. */
export type NewOffer = Pick<
  Offer,
  'tenant_id' | 'call_id' | 'department_id' | 'user_id' | 'kind' | 'offered_by' | 'note'
>;

/**
 * Since when the offer `o`, which a statement is inserting, could have been made: the last of the changes that it needed.
 * Null for an offer that names its agent. These are: the agent became available; the call entered the line, or what it
 * needs or the customer's connection changed; settings of the department changed; its offer before this one ended; the agent
 * was excluded from it; its requirement of skills ended, or its reservation for another agent, also because that one can no
 * longer be reached. The time since when the
 * agent has been idle would be wrong, because an agent who declines an offer stays idle, and so would the time of the join
 * of a call that has been offered or assigned since.
 *
 * Some changes leave no time behind and count as part of the latency: a poll of an absent customer, a new member, a new
 * skill, and the end of a call that frees a place in the plan.
 */
const POSSIBLE_SINCE = `CASE WHEN o.kind = 'line' THEN (
  SELECT GREATEST(p.state_since, c.updated_at, d.updated_at, l.updated_at,
    (SELECT f.ended_at FROM offers f WHERE f.call_id = o.call_id ORDER BY f.offered_at DESC LIMIT 1),
    (SELECT x.until FROM offer_exclusions x WHERE x.call_id = o.call_id AND x.user_id = o.user_id),
    (SELECT max(needed.ends_at) FROM (VALUES
        (c.required_skills <> '[]',
          COALESCE(c.skills_changed_at, c.inserted_at) + make_interval(secs => d.skill_relax_after)),
        (c.reserved_user_id <> o.user_id,
          LEAST(GREATEST(c.inserted_at, c.priority_since) + make_interval(secs => d.preferred_agent_wait),
            (SELECT r.state_since FROM presences r
             WHERE r.user_id = c.reserved_user_id AND r.state IN ('paused', 'offline')))))
        AS needed (applies, ends_at)
      WHERE needed.applies AND needed.ends_at <= o.offered_at))
  FROM calls c JOIN departments d ON d.tenant_id = c.tenant_id AND d.id = o.department_id
    LEFT JOIN departments l ON l.tenant_id = c.tenant_id AND l.id = c.overflow_department_id
    JOIN presences p ON p.user_id = o.user_id
  WHERE c.id = o.call_id) END`;

/** What the agent who transferred the call $2 to its department said about it; null for a call that was not transferred. */
const TRANSFER_NOTE = `(SELECT (SELECT t.details ->> 'note' FROM call_timeline t
    WHERE t.call_id = c.id AND t.type = 'transferred' ORDER BY t.id DESC LIMIT 1)
  FROM calls c WHERE c.id = $2 AND c.transferred_at IS NOT NULL)`;

/**
 * The agent's state is read again here: the statement sees everything that was committed before their row was locked,
 * the state that was announced last may be older.
 */
const INSERT = `INSERT INTO offers AS o (tenant_id, call_id, department_id, user_id, kind, offered_by, note, status,
    offered_at, expires_at, available_since)
  SELECT $1, $2, $3, s.user_id, $5::text, $6, CASE WHEN $5::text = 'transfer' THEN $7::text ELSE ${TRANSFER_NOTE} END, 'pending', $8, $8::timestamptz + make_interval(secs => $9), p.idle_since
  FROM agent_states s JOIN presences p ON p.user_id = s.user_id
  WHERE s.tenant_id = $1 AND s.user_id = $4 AND s.state = 'available' AND s.active
  ON CONFLICT DO NOTHING RETURNING ${OFFER_ROW}, ${POSSIBLE_SINCE} AS possible_since`;

type InsertedOffer = OfferRow & { possible_since: Date | null };

/** The only place that creates offers. */
@Injectable()
export class MakeOffer {
  constructor(
    private readonly states: AgentStates,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Offers a call to an agent. The caller has locked the call, then the agent's row.
   * @param seconds that the agent has to answer
   * @param candidates the agents among whom this one was selected, the best one first
   * @returns undefined if the agent is not available, or an offer of the call or of the agent is pending
   */
  async insert(
    tx: Transaction,
    offer: NewOffer,
    seconds: number,
    candidates: OfferCandidate[] = [],
  ): Promise<OfferRow | undefined> {
    const { tenant_id, call_id, department_id, user_id, kind, offered_by, note } = offer;
    const now = this.clock.now();
    const inserting = tx.one<InsertedOffer>(INSERT, [
      tenant_id,
      call_id,
      department_id,
      user_id,
      kind,
      offered_by,
      note,
      now,
      seconds,
    ]);
    // Also after an offer that was not made: then the state that was announced is corrected.
    const [made] = await settleAll([inserting, this.states.announce(tx, tenant_id, [user_id])]);
    if (!made) return undefined;
    tx.send(forgetToldWait(tenant_id, call_id, now));
    const since = made.possible_since?.toISOString() ?? null;
    await this.events.record(tx, new OfferMade(made, now, candidates, since));
    return made;
  }
}
