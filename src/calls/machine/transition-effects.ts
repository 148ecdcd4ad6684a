import { Injectable } from '@nestjs/common';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import type { Call } from '../call.entity';

/** A call before and after a transition. */
export interface Transition {
  readonly before: Call;
  readonly after: Call;
}

/** What a context above does in the transaction of transitions. */
export interface TransitionEffect {
  /**
   * Called once for all calls that change together, which belong to one tenant, when the statement that saves them has been
   * sent. It must send its locks before it first awaits: the caller may then read rows that they protect.
   */
  apply(tx: Transaction, transitions: readonly Transition[], now: Date): Promise<void>;
}

/**
 * The effects of transitions in contexts above. Unlike listeners of events, they run once for a batch of calls, and the
 * order of their locks is known.
 */
@Injectable()
export class TransitionEffects {
  private readonly effects: TransitionEffect[] = [];

  /** Call it while the application starts. Effects run in the order in which they are registered. */
  register(effect: TransitionEffect): void {
    this.effects.push(effect);
  }

  /** Resolves when all effects have; a throw rolls the transaction back. */
  async apply(tx: Transaction, transitions: readonly Transition[], now: Date): Promise<void> {
    if (transitions.length === 0) return;
    await settleAll(this.effects.map((effect) => effect.apply(tx, transitions, now)));
  }
}
