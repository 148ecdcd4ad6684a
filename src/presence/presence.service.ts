import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { PresenceChanged, PresenceChosen } from './presence.events';
import { PresencePeriods } from './presence-periods';
import type { ChosenPresence, Presence } from './presence.rules';

/**
 * Presence is derived by the view user_presence from open sockets, active calls and the user's choice. Besides the
 * choice, only the presence announced last is stored.
 */
@Injectable()
export class PresenceService {
  constructor(
    private readonly events: EventBus,
    private readonly periods: PresencePeriods,
    private readonly clock: Clock,
  ) {}

  async choose(tx: Transaction, tenantId: string, userId: string, chosen: ChosenPresence): Promise<void> {
    this.lock(tx, tenantId, userId);
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
   * Records an event and a new period if the user's presence differs from the one announced last. Call it after
   * every change that may affect presence; concurrent calls are serialised by a row lock.
   * @param since when it changed, if it was noticed later
   */
  async announce(tx: Transaction, tenantId: string, userId: string, since?: Date): Promise<void> {
    this.lock(tx, tenantId, userId);
    const changed = await tx.one<{ presence: Presence }>(
      `UPDATE presences SET announced = p.presence FROM user_presence p
       WHERE presences.user_id = $1 AND p.user_id = $1 AND announced <> p.presence
       RETURNING p.presence`,
      [userId],
    );
    if (!changed) return;
    const now = this.clock.now();
    this.periods.switchPeriod(tx, tenantId, userId, changed.presence, since ?? now);
    await this.events.record(tx, new PresenceChanged(tenantId, userId, now.toISOString(), changed.presence));
  }

  /**
   * Locks the row of the user's presence if a row of another context matches. Call it after that row is locked.
   * @param rows `FROM table WHERE condition` with its values
   * @returns false if nothing was locked: nothing matches, or the user has never been connected
   */
  async lockIf(tx: Transaction, userId: string, rows: { from: string; values: unknown[] }): Promise<boolean> {
    const locked = await tx.query(
      `SELECT FROM presences WHERE user_id = $${rows.values.length + 1} AND EXISTS (SELECT ${rows.from})
       FOR NO KEY UPDATE`,
      [...rows.values, userId],
    );
    return locked.length > 0;
  }

  /** Creates the row if needed and locks it: later statements see what other transactions committed before. */
  private lock(tx: Transaction, tenantId: string, userId: string): void {
    tx.send({
      text: `INSERT INTO presences (user_id, tenant_id) VALUES ($1, $2)
        ON CONFLICT ON CONSTRAINT presences_pkey DO UPDATE SET tenant_id = presences.tenant_id`,
      values: [userId, tenantId],
    });
  }
}
