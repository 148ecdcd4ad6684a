import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { PresenceChanged, PresenceChosen } from './presence.events';
import { PresencePeriods } from './presence-periods';
import type { ChosenPresence, Presence } from './presence.rules';

/**
 * Presence is derived (the view user_presence): from the open sockets, the active calls and what the
 * user chose. What is stored beside the choice is only what was announced last.
 */
@Injectable()
export class PresenceService {
  constructor(
    private readonly events: EventBus,
    private readonly periods: PresencePeriods,
    private readonly clock: Clock,
  ) {}

  async choose(tx: Transaction, tenantId: string, userId: string, chosen: ChosenPresence): Promise<void> {
    await this.lock(tx, tenantId, userId);
    const changed = await tx.query(
      'UPDATE presences SET chosen = $2 WHERE user_id = $1 AND chosen <> $2 RETURNING user_id',
      [userId, chosen],
    );
    if (changed.length > 0) {
      const at = this.clock.now().toISOString();
      await this.events.record(tx, new PresenceChosen(tenantId, userId, at, chosen));
    }
    await this.announce(tx, tenantId, userId);
  }

  /**
   * Tells the colleagues if the user's presence differs from what they were told last, and keeps the period that
   * has ended. Call it after whatever may have changed it; transactions that do so at the same time take turns.
   * @param since when it changed, if that is only noticed now
   */
  async announce(tx: Transaction, tenantId: string, userId: string, since?: Date): Promise<void> {
    await this.lock(tx, tenantId, userId);
    const changed = await tx.one<{ presence: Presence }>(
      `UPDATE presences SET announced = p.presence FROM user_presence p
       WHERE presences.user_id = $1 AND p.user_id = $1 AND announced <> p.presence
       RETURNING p.presence`,
      [userId],
    );
    if (!changed) return;
    const now = this.clock.now();
    await this.periods.turn(tx, tenantId, userId, changed.presence, since ?? now);
    await this.events.record(tx, new PresenceChanged(tenantId, userId, now.toISOString(), changed.presence));
  }

  /** Makes the row if need be and locks it; the statements after it see what others committed before. */
  private async lock(tx: Transaction, tenantId: string, userId: string): Promise<void> {
    await tx.query(
      `INSERT INTO presences (user_id, tenant_id) VALUES ($1, $2)
       ON CONFLICT ON CONSTRAINT presences_pkey DO UPDATE SET tenant_id = presences.tenant_id`,
      [userId, tenantId],
    );
  }
}
