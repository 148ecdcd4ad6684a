import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type Transition,
  type TransitionEffect,
  TransitionEffects,
} from '../../calls/machine/transition-effects';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { AgentLocks } from '../../presence/agent-locks';
import { AgentStates } from '../agents/agent-states';
import { workOf } from '../agents/agent-work.rules';
import { EndOffers } from './end-offers';
import type { Offer } from './offer.entity';
import { voidOffersOf } from './void-offers.rules';

/**
 * What transitions of calls mean for agents and offers: offers that they make void are withdrawn, and the states of all
 * agents concerned are announced, with their wrap-up and the number of calls that they started. All agents are locked by
 * one statement, before the offers. No offer of a call can be made meanwhile, because that needs the lock of the call.
 */
@Injectable()
export class OfferEffects implements TransitionEffect, OnModuleInit {
  constructor(
    private readonly effects: TransitionEffects,
    private readonly locks: AgentLocks,
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
    this.locks.lockWithOffered(tx, workers, { tenantId: tenant_id, ids: call_ids });
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
