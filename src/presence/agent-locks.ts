import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';

/**
 * Locks of agents. The row of a user in `presences`, which every user has, is locked by each transaction that changes what
 * the state of the agent depends on: their connections, their calls, their offers and what they chose. It is locked after
 * the calls, and before offers.
 */
@Injectable()
export class AgentLocks {
  /**
   * Locks the agents in the order of their ids, without waiting: statements that are sent later see what other transactions
   * have committed before.
   * @param onlyIf `FROM table WHERE condition` with its values: locks nothing unless it has a row. Send the lock of that
   *   row before
   */
  lock(tx: Transaction, userIds: readonly string[], onlyIf?: { from: string; values: unknown[] }): void {
    if (userIds.length === 0) return;
    const values = onlyIf?.values ?? [];
    const condition = onlyIf ? ` AND EXISTS (SELECT ${onlyIf.from})` : '';
    tx.send({
      text: `SELECT FROM presences WHERE user_id = ANY ($${values.length + 1})${condition}
        ORDER BY user_id FOR NO KEY UPDATE`,
      values: [...values, userIds],
    });
  }
}
