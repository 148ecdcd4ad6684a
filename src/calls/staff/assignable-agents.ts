import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { invalidField } from '../../platform/http/errors/api-error';

export interface AssignableAgent {
  id: string;
  name: string;
  /** As stored: see picture-url.ts. */
  avatar_url: string | null;
}

/**
 * The only place that decides whether an agent may take a call. Assigning asks it, and so do starting and completing,
 * because they assign a queued call first.
 */
@Injectable()
export class AssignableAgents {
  /**
   * Locks the agent FOR SHARE, so that they stay active until the assignment is committed.
   * @returns undefined for a user that is not an active member of the tenant
   */
  lockIfActive(tx: Transaction, tenantId: string, userId: string): Promise<AssignableAgent | undefined> {
    return tx.one<AssignableAgent>(
      'SELECT id, name, avatar_url FROM users WHERE tenant_id = $1 AND id = $2 AND active FOR SHARE',
      [tenantId, userId],
    );
  }

  /**
   * As lockIfActive, for the agent of a call whose lock the transaction has sent before.
   * @returns undefined also for a call that is not waiting
   */
  lockIfQueued(
    tx: Transaction,
    tenantId: string,
    userId: string,
    callId: string,
  ): Promise<AssignableAgent | undefined> {
    return tx.one<AssignableAgent>(
      `SELECT id, name, avatar_url FROM users WHERE tenant_id = $1 AND id = $2 AND active
         AND EXISTS (SELECT FROM calls WHERE tenant_id = $1 AND id = $3 AND status = 'queued') FOR SHARE`,
      [tenantId, userId, callId],
    );
  }

  /** As lockIfActive. @throws 422 for a user that is not an active member of the tenant */
  async lock(tx: Transaction, tenantId: string, userId: string): Promise<AssignableAgent> {
    const agent = await this.lockIfActive(tx, tenantId, userId);
    if (!agent) throw notAssignable();
    return agent;
  }
}

export const notAssignable = (): Error => invalidField('user_id', 'is not an active user of this tenant');
