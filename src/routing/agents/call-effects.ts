import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type Transition,
  type TransitionEffect,
  TransitionEffects,
} from '../../calls/machine/transition-effects';
import type { Transaction } from '../../platform/database/transaction';
import { AgentLocks } from '../../presence/agent-locks';
import { AgentStates } from './agent-states';
import { workOf } from './agent-work.rules';

/** What a transition of a call changes for its agent, and for the agent before: their state, wrap-up and number of calls. */
@Injectable()
export class CallEffects implements TransitionEffect, OnModuleInit {
  constructor(
    private readonly effects: TransitionEffects,
    private readonly locks: AgentLocks,
    private readonly states: AgentStates,
  ) {}

  onModuleInit(): void {
    this.effects.register(this);
  }

  async apply(tx: Transaction, transitions: readonly Transition[], now: Date): Promise<void> {
    const [first] = transitions;
    const work = workOf(transitions);
    if (!first || work.length === 0) return;
    this.locks.lock(
      tx,
      work.map(({ user_id }) => user_id),
    );
    await this.states.announceWork(tx, first.after.tenant_id, work, now);
  }
}
