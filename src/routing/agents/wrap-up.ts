import { Injectable } from '@nestjs/common';
import { WrapUpTimes } from '../../calls/machine/wrap-up-times';
import type { Principal } from '../../platform/access/principal';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { invalidField, unprocessable } from '../../platform/http/errors/api-error';
import { AgentLocks } from '../../presence/agent-locks';
import { WrapUpChanged } from './agent.events';
import type { AgentState } from './agent-state.rules';
import { AgentStates } from './agent-states';
import { type CurrentWrapUp, extendedUntil, MAX_WRAP_UP_SECONDS } from './wrap-up.rules';

interface EndedRow extends CurrentWrapUp {
  part_id: string | null;
  /** The state as it was announced before. */
  state: AgentState;
}

/** The time after a call in which its agent gets no other: it begins with the end of the call (OfferEffects). */
@Injectable()
export class WrapUp {
  constructor(
    private readonly database: Database,
    private readonly locks: AgentLocks,
    private readonly states: AgentStates,
    private readonly times: WrapUpTimes,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Ends the user's wrap-up. Without one, nothing changes. */
  finish({ tenant_id, user_id }: Principal): Promise<void> {
    return this.database.tenant(tenant_id, async (tx) => {
      this.locks.lock(tx, [user_id]);
      const hasEnded = await this.end(tx, tenant_id, user_id);
      if (hasEnded) await this.record(tx, tenant_id, user_id, null);
    });
  }

  /**
   * Makes the user's wrap-up longer.
   * @throws 422 not_in_wrap_up; 422 if it would last longer than MAX_WRAP_UP_SECONDS in all
   */
  extend({ tenant_id, user_id }: Principal, seconds: number): Promise<void> {
    return this.database.tenant(tenant_id, async (tx) => {
      this.locks.lock(tx, [user_id]);
      const current = await tx.one<CurrentWrapUp>(
        `SELECT wrap_up_started_at AS started_at, wrap_up_until AS until FROM presences
         WHERE user_id = $1 AND wrap_up_until > $2`,
        [user_id, this.clock.now()],
      );
      if (!current) throw unprocessable('not_in_wrap_up', 'The agent is not wrapping up a call.');
      const until = extendedUntil(current, seconds);
      if (!until) {
        throw invalidField(
          'seconds',
          `must not make the wrap-up longer than ${MAX_WRAP_UP_SECONDS} s in all`,
        );
      }
      tx.send({
        text: 'UPDATE presences SET wrap_up_until = $2 WHERE user_id = $1',
        values: [user_id, until],
      });
      await this.record(tx, tenant_id, user_id, until);
    });
  }

  /**
   * Ends the wrap-up of an agent whom the transaction has locked, now or when its time has passed, and announces their state.
   * @returns false if there was none
   */
  async end(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
    const ended = await tx.one<EndedRow>(
      `UPDATE presences p SET wrap_up_started_at = NULL, wrap_up_until = NULL, wrap_up_part_id = NULL
       FROM presences before
       WHERE p.user_id = $1 AND before.user_id = p.user_id AND p.wrap_up_until IS NOT NULL
       RETURNING before.wrap_up_started_at AS started_at, before.wrap_up_until AS until,
         before.wrap_up_part_id AS part_id, before.state`,
      [userId],
    );
    if (!ended) return false;
    const { part_id, started_at, until, state } = ended;
    const now = this.clock.now();
    const ended_at = until < now ? until : now;
    // An agent in another call was not wrapping up.
    if (part_id !== null && state !== 'on_call')
      this.times.record(tx, [{ part_id, began_at: started_at, ended_at }]);
    await this.states.announceLocked(tx, tenantId, [userId], ended_at);
    return true;
  }

  private record(tx: Transaction, tenantId: string, userId: string, until: Date | null): Promise<void> {
    const change = until === null ? 'finished' : 'extended';
    const at = this.clock.now().toISOString();
    return this.events.record(
      tx,
      new WrapUpChanged(tenantId, userId, at, change, until?.toISOString() ?? null),
    );
  }
}
