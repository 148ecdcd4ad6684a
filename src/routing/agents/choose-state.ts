import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { hasMinimumRole } from '../../platform/access/roles';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { forbidden, invalidField } from '../../platform/http/errors/api-error';
import { AgentLocks } from '../../presence/agent-locks';
import type { ChosenPresence } from '../../presence/presence.rules';
import { PresenceChosen } from './agent.events';
import { AgentStates } from './agent-states';

export interface StateChoice {
  state: 'available' | 'paused';
  /** Why the agent pauses: one of the company's pause_reasons. Ignored for `available`. */
  reason?: string | null | undefined;
}

/** An agent, or a supervisor for an agent, chooses the state for when the agent is connected and not in a call. */
@Injectable()
export class ChooseState {
  constructor(
    private readonly database: Database,
    private readonly locks: AgentLocks,
    private readonly states: AgentStates,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * A user whom the company does not have has no row, so nothing changes.
   * @throws 403 for another user unless the actor is a supervisor; 422 for an unknown reason
   */
  async choose(actor: Principal, userId: string, choice: StateChoice): Promise<void> {
    if (userId !== actor.user_id && !hasMinimumRole(actor.role, 'supervisor')) {
      throw forbidden('Only supervisors can choose the state of another user.');
    }
    const chosen = choice.state === 'paused' ? 'away' : 'online';
    const reason = choice.state === 'paused' ? (choice.reason ?? null) : null;
    await this.database.tenant(actor.tenant_id, async (tx) => {
      if (reason !== null) await this.ensureKnown(tx, actor.tenant_id, reason);
      this.locks.lock(tx, [userId]);
      await settleAll([
        this.write(tx, actor.tenant_id, userId, chosen, reason),
        this.states.announceLocked(tx, actor.tenant_id, [userId]),
      ]);
    });
  }

  private async write(
    tx: Transaction,
    tenantId: string,
    userId: string,
    chosen: ChosenPresence,
    reason: string | null,
  ): Promise<void> {
    const changed = await tx.query(
      `UPDATE presences SET chosen = $2, reason = $3
       WHERE user_id = $1 AND (chosen, reason) IS DISTINCT FROM ($2, $3) RETURNING user_id`,
      [userId, chosen, reason],
    );
    if (changed.length === 0) return;
    const at = this.clock.now().toISOString();
    await this.events.record(tx, new PresenceChosen(tenantId, userId, at, chosen, reason));
  }

  /** The reserved reason missed_offer is never one of the company's. */
  private async ensureKnown(tx: Transaction, tenantId: string, reason: string): Promise<void> {
    const known = await tx.query('SELECT FROM tenants WHERE id = $1 AND $2 = ANY (pause_reasons)', [
      tenantId,
      reason,
    ]);
    if (known.length === 0) throw invalidField('reason', "is not one of the company's pause_reasons");
  }
}
