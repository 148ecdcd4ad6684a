import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Filter } from '../../platform/database/filter';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { OFFER_ROW } from './offer.columns';
import type { OfferRow } from './offer.dto';
import { OfferEnded } from './offer.events';
import { OFFER_ENDS, type OfferTrigger } from './offer.machine';

/** Why an offer was withdrawn. */
export type WithdrawalReason =
  | 'agent_busy'
  | 'agent_offline'
  | 'agent_paused'
  | 'agent_inactive'
  | 'not_a_member'
  | 'call_taken'
  | 'call_ended'
  | 'customer_left'
  | 'customer_absent'
  | 'department_changed'
  | 'tenant_suspended'
  | 'plan_limit'
  | 'reassigned';

/** Offers that transitions of calls make void. */
interface VoidOffers {
  tenantId: string;
  callIds: string[];
  /** The agents who got a call. */
  takerIds: string[];
  why: WithdrawalReason;
}

/** As a literal, so that the partial indexes of pending offers apply to every plan of the statement. */
const IS_PENDING = "o.status = 'pending'";

const WITHDRAW_VOID = `UPDATE offers o SET status = 'withdrawn', ended_at = $4,
    reason = CASE WHEN o.user_id = ANY ($3::uuid[]) THEN 'agent_busy' ELSE $5 END
  WHERE o.tenant_id = $1 AND (o.call_id = ANY ($2::uuid[]) OR o.user_id = ANY ($3::uuid[])) AND ${IS_PENDING}
  RETURNING ${OFFER_ROW}`;

const TIME_CONDITIONS = { before: 'o.expires_at > ?', after: 'o.expires_at <= ?' } as const;

/**
 * The only writer of `offers.status`. The statement repeats the condition of the machine (endOf), so the database decides
 * between parallel triggers. The caller has locked the agent's row, except to withdraw an offer of an agent who is offline.
 */
@Injectable()
export class EndOffers {
  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends the pending offers `o` that the filter matches and records an event for each.
   * @returns the offers that this ended
   */
  end(
    tx: Transaction,
    trigger: OfferTrigger,
    filter: Filter,
    reason: string | null = null,
  ): Promise<OfferRow[]> {
    const { to, expiry } = OFFER_ENDS[trigger];
    const now = this.clock.now();
    const { sql, values } = expiry === 'any' ? filter : filter.and(TIME_CONDITIONS[expiry], now);
    const [status, at, why] = [1, 2, 3].map((number) => `$${values.length + number}`);
    return this.run(
      tx,
      `UPDATE offers o SET status = ${status}, ended_at = ${at}, reason = ${why}
       ${sql} AND ${IS_PENDING} RETURNING ${OFFER_ROW}`,
      [...values, to, now, reason],
    );
  }

  /** Withdraws pending offers `o`. */
  withdraw(tx: Transaction, filter: Filter, reason: WithdrawalReason): Promise<OfferRow[]> {
    return this.end(tx, 'withdraw', filter, reason);
  }

  /**
   * Withdraws what transitions of calls have made void: the offers of these calls, and those of agents who got a call.
   * @param why of the offers of the calls
   */
  withdrawVoid(tx: Transaction, { tenantId, callIds, takerIds, why }: VoidOffers): Promise<OfferRow[]> {
    return this.run(tx, WITHDRAW_VOID, [tenantId, callIds, takerIds, this.clock.now(), why]);
  }

  private async run(tx: Transaction, text: string, values: unknown[]): Promise<OfferRow[]> {
    const ended = await tx.query<OfferRow>(text, values);
    for (const offer of ended) await this.events.record(tx, new OfferEnded(offer, this.clock.now()));
    return ended;
  }
}
