import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { type Transition, type TransitionEffect, TransitionEffects } from '../machine/transition-effects';
import { CallbackChanged } from './callback.events';
import { isAwaited } from './callback.machine';

/** Announces callbacks that ended because their call did. The transition itself has changed the status (endedWithCall). */
@Injectable()
export class CallbackEndings implements TransitionEffect, OnModuleInit {
  constructor(
    private readonly effects: TransitionEffects,
    private readonly events: EventBus,
  ) {}

  onModuleInit(): void {
    this.effects.register(this);
  }

  async apply(tx: Transaction, transitions: readonly Transition[], now: Date): Promise<void> {
    for (const { before, after } of transitions) {
      const { callback_status: status } = after;
      if (!isAwaited(before.callback_status) || status === null || isAwaited(status)) continue;
      await this.events.record(tx, new CallbackChanged(after, now, status, null));
    }
  }
}
