import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type Transition,
  type TransitionEffect,
  TransitionEffects,
} from '../../calls/machine/transition-effects';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { AgentStates } from '../agents/agent-states';
import { workOf } from '../agents/agent-work.rules';
import { EndOffers } from './end-offers';
import type { Offer } from './offer.entity';
import { voidOffersOf } from './void-offers.rules';

/** The agents $2, and those who are being offered one of the calls $3. */
const LOCK_AGENTS = `SELECT FROM presences WHERE user_id = ANY (ARRAY(
    SELECT unnest($2::uuid[]) UNION
    SELECT o.user_id FROM offers o WHERE o.tenant_id = $1 AND o.call_id = ANY ($3::uuid[]) AND o.status = 'pending'))
  ORDER BY user_id FOR NO KEY UPDATE`;

/**
 * What transitions of calls mean for agents and offers: offers that they make void are withdrawn, and the states of all
 * agents concerned are announced, with their wrap-up and the number of calls that they started. All agents are locked by
 * one statement, before the offers. No offer of a call can be made meanwhile, because that needs the lock of the call.
 */
@Injectable()
export class OfferEffects implements TransitionEffect, OnModuleInit {
  constructor(
    private readonly effects: TransitionEffects,
    private readonly ends: EndOffers,
    private readonly states: AgentStates,
  ) {}

  onModuleInit(): void {
    this.effects.register(this);
  }

  async apply(tx: Transaction, transitions: readonly Transition[], now: Date): Promise<void> {
    const [first] = transitions;
    const work = workOf(transitions);
    const { call_ids, taker_ids, reason } = voidOffersOf(transitions);
    if (!first || work.length + call_ids.length === 0) return;
    const { tenant_id } = first.after;
    const workers = work.map(({ user_id }) => user_id);
    tx.send({ text: LOCK_AGENTS, values: [tenant_id, workers, call_ids] });
    const [withdrawn] = await settleAll([
      this.withdrawVoid(tx, { tenantId: tenant_id, callIds: call_ids, takerIds: taker_ids, why: reason }),
      this.states.announceWork(tx, tenant_id, work, now),
    ]);
    const others = withdrawn.map(({ user_id }) => user_id).filter((id) => !workers.includes(id));
    await this.states.announceLocked(tx, tenant_id, others);
  }

  private async withdrawVoid(
    tx: Transaction,
    offers: Parameters<EndOffers['withdrawVoid']>[1],
  ): Promise<Offer[]> {
    if (offers.callIds.length + offers.takerIds.length === 0) return [];
    return this.ends.withdrawVoid(tx, offers);
  }
}
