import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Filter } from '../../platform/database/filter';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import { isAwaited } from '../callbacks/callback.machine';
import { effectsOf } from './call.effects';
import { Call } from '../call.entity';
import { decide, type TransitionRequest, type TargetStatus } from './call.machine';
import { type CallChanges, CallWriter } from './call-writer';
import { TransitionEffects } from './transition-effects';
import { type AppliedTransition, transitionEvents } from './transition-events';

/** What of a call decides on a transition. */
export type DecidedCall = Pick<Call, 'status' | 'user_id' | 'callback_status'>;

interface PlannedTransition {
  call: Call;
  move: TransitionRequest;
  to: TargetStatus;
  changes: CallChanges;
}

/** The only writer of `calls.status`: locks the row, asks the machine, saves, records the event. */
@Injectable()
export class CallTransitions {
  constructor(
    private readonly events: EventBus,
    private readonly effects: TransitionEffects,
    private readonly writer: CallWriter,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Locks the call until the transaction ends. @throws 404 for a call that the tenant does not have */
  async lock(tx: Transaction, tenantId: string, callId: string): Promise<Call> {
    return this.lockWhere(tx, new Filter().and('c.tenant_id = ?', tenantId).and('c.id = ?', callId));
  }

  /** As lock, for the one call `c` that the filter matches. @throws 404 */
  async lockWhere(tx: Transaction, { sql, values }: Filter): Promise<Call> {
    const call = await tx.one<Call>(
      `SELECT ${tx.columnsOf(Call, 'c')} FROM calls c ${sql} FOR NO KEY UPDATE OF c`,
      values,
    );
    if (!call) throw notFound('Call');
    return call;
  }

  /**
   * Applies a transition to a call that the transaction has locked.
   * @param others changes of other columns that are saved with the transition
   * @returns the call after the transition
   * @throws 422 invalid_transition or callback_pending, with nothing changed
   */
  async apply(tx: Transaction, call: Call, move: TransitionRequest, others: CallChanges = {}): Promise<Call> {
    const now = this.clock.now();
    const planned = this.plan(call, move, now);
    if (!planned) return call;
    const changed = this.writer.saveVisible(tx, call, { ...planned.changes, ...others }, now);
    await this.complete(tx, [appliedOf(planned, changed)], now);
    return changed;
  }

  /** For a use case that checks other conditions before it applies the transition. @throws 422 invalid_transition */
  ensureAllowed(call: DecidedCall, move: TransitionRequest): void {
    const decision = decisionOn(call, move);
    if (decision.kind === 'refuse') throw unprocessable(decision.code, decision.detail);
  }

  /**
   * As apply, for several calls of one tenant: however many there are, they are saved by one statement.
   * @throws 422 invalid_transition for any of them, with nothing changed
   */
  async applyAll(tx: Transaction, calls: Call[], move: TransitionRequest): Promise<void> {
    const now = this.clock.now();
    const planned = calls.map((call) => this.plan(call, move, now)).filter((one) => one !== undefined);
    const applied = planned.map((one) => {
      const { call, changes } = one;
      return appliedOf(one, { ...call, ...changes, version: call.version + 1, updated_at: now });
    });
    await settleAll([this.writer.saveEachVisible(tx, planned, now), this.complete(tx, applied, now)]);
  }

  /** @returns undefined if the call is already in the state that is requested */
  private plan(call: Call, move: TransitionRequest, now: Date): PlannedTransition | undefined {
    const decision = decisionOn(call, move);
    if (decision.kind === 'repeat') return undefined;
    if (decision.kind === 'refuse') throw unprocessable(decision.code, decision.detail);
    const ringSeconds = this.config.ringTimeoutSeconds;
    const changes = effectsOf({ call, move, transition: decision, now, ringSeconds });
    return { call, move, to: decision.to, changes };
  }

  /** The effects send their locks first: those of agents come before those of appointments, which listeners may lock. */
  private async complete(tx: Transaction, applied: readonly AppliedTransition[], now: Date): Promise<void> {
    await settleAll([this.effects.apply(tx, applied, now), this.record(tx, applied, now)]);
  }

  private async record(tx: Transaction, applied: readonly AppliedTransition[], now: Date): Promise<void> {
    for (const one of applied) {
      for (const event of transitionEvents(one, now)) await this.events.record(tx, event);
    }
  }
}

const decisionOn = (call: DecidedCall, move: TransitionRequest) =>
  decide({ ...call, awaits_callback: isAwaited(call.callback_status) }, move);

const appliedOf = ({ call, move, to }: PlannedTransition, after: Call): AppliedTransition => ({
  trigger: move.trigger,
  before: call,
  after,
  move,
  to,
});
