import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { hasMinimumRole } from '../../platform/access/roles';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { forbidden, invalidField } from '../../platform/http/errors/api-error';
import { AgentLocks } from '../../presence/agent-locks';
import type { ChosenPresence } from '../../presence/presence.rules';
import { MISSED_OFFER, NOT_TAKING_CALLS } from '../../tenancy/tenant-settings.rules';
import { PresenceChosen } from './agent.events';
import { AgentStates } from './agent-states';

export interface StateChoice {
  state: 'available' | 'paused';
  /**
   * Why the agent pauses: one of the company's pause_reasons, or not_taking_calls of supervisors. Ignored for `available`.
   */
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
      if (reason !== null) await this.ensureKnown(tx, actor.tenant_id, userId, reason);
      this.locks.lock(tx, [userId]);
      // The listeners of the choice withdraw offers, on which the state depends.
      await this.write(tx, actor.tenant_id, userId, chosen, reason, userId === actor.user_id);
      await this.states.announceLocked(tx, actor.tenant_id, [userId]);
    });
  }

  /** Pauses an agent whom the transaction has locked, unless the company does not want that. */
  async pauseAfterMissedOffer(tx: Transaction, tenantId: string, userId: string): Promise<void> {
    const tenant = await tx.one<{ pause_after_missed_offer: boolean }>(
      'SELECT pause_after_missed_offer FROM tenants WHERE id = $1',
      [tenantId],
    );
    if (tenant?.pause_after_missed_offer) await this.write(tx, tenantId, userId, 'away', MISSED_OFFER);
  }

  private async write(
    tx: Transaction,
    tenantId: string,
    userId: string,
    chosen: ChosenPresence,
    reason: string | null,
    isOwn = false,
  ): Promise<void> {
    const now = this.clock.now();
    // The first choice is one even if it leaves the user as they began. Only users themselves make one.
    const changed = await tx.query(
      `UPDATE presences SET chosen = $2, reason = $3, chosen_at = COALESCE($4::timestamptz, chosen_at)
       WHERE user_id = $1 AND ((chosen, reason) IS DISTINCT FROM ($2, $3) OR (chosen_at IS NULL AND $4::timestamptz IS NOT NULL))
       RETURNING user_id`,
      [userId, chosen, reason, isOwn ? now : null],
    );
    if (changed.length === 0) return;
    await this.events.record(tx, new PresenceChosen(tenantId, userId, now.toISOString(), chosen, reason));
  }

  /** The reserved reasons are never among those of the company. Only the user who is paused decides whether one is theirs. */
  private async ensureKnown(
    tx: Transaction,
    tenantId: string,
    userId: string,
    reason: string,
  ): Promise<void> {
    const known = await tx.query(
      reason === NOT_TAKING_CALLS
        ? `SELECT FROM users WHERE tenant_id = $1 AND id = $2 AND role <> 'attendant'`
        : 'SELECT FROM tenants WHERE id = $1 AND $2 = ANY (pause_reasons)',
      [tenantId, reason === NOT_TAKING_CALLS ? userId : reason],
    );
    if (known.length === 0) throw invalidField('reason', "is not one of the company's pause_reasons");
  }
}
