import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';

/** Calls of a tenant: the agents to whom they are being offered are locked, too. */
interface OfferedCalls {
  tenantId: string;
  ids: readonly string[];
}

/** Locks nothing unless `from` (`FROM table WHERE condition`, with its values) has a row. */
interface Condition {
  from: string;
  values: unknown[];
}

/**
 * Locks of agents. The row of a user in `presences`, which every user has, is locked by each transaction that changes what
 * the state of the agent depends on: their connections, their calls, their offers and what they chose. It is locked after
 * the calls, and before offers.
 */
@Injectable()
export class AgentLocks {
  /**
   * Locks the agents in the order of their ids, without waiting: statements that are sent later see what other transactions
   * have committed before. A transaction locks all of its agents at once.
   */
  lock(tx: Transaction, userIds: readonly string[]): void {
    if (userIds.length === 0) return;
    tx.send({
      text: 'SELECT FROM presences WHERE user_id = ANY ($1) ORDER BY user_id FOR NO KEY UPDATE',
      values: [userIds],
    });
  }

  /**
   * As lock, with the agents to whom the calls are being offered: an offer ends when its call does. The caller has locked
   * the calls, so no other offer of them is made meanwhile.
   * @param onlyIf send the lock of its row before
   */
  lockWithOffered(
    tx: Transaction,
    userIds: readonly string[],
    calls: OfferedCalls,
    onlyIf: Condition = { from: '', values: [] },
  ): void {
    const [tenant, ids, users] = [1, 2, 3].map((number) => `$${onlyIf.values.length + number}`);
    tx.send({
      text: `SELECT FROM presences WHERE user_id = ANY (ARRAY(
          SELECT unnest(${users}::uuid[]) UNION
          SELECT o.user_id FROM offers o
          WHERE o.tenant_id = ${tenant} AND o.call_id = ANY (${ids}::uuid[]) AND o.status = 'pending'))
        AND EXISTS (SELECT ${onlyIf.from}) ORDER BY user_id FOR NO KEY UPDATE`,
      values: [...onlyIf.values, calls.tenantId, calls.ids, userIds],
    });
  }
}
