import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { KeyedSemaphore } from '../../platform/database/connections/keyed-semaphore';
import { PoolAdmission } from '../../platform/database/connections/pool-admission';
import { clientSignal } from '../../platform/logging/request-context';
import { DepartmentLocked } from './department-locked';

/** What a department of an instance can serve in the time for which a customer waits. Further ones are refused at once. */
const MAX_JOINS = 1000;
/** Until the lock of another instance is tried again. */
const RETRY_MS = { min: 10, max: 30 };

/**
 * Lets the joins of a department run one after another, in the order in which they came. Those that wait hold no connection,
 * so that a burst in one department does not keep out the customers of others.
 */
@Injectable()
export class DepartmentTurns {
  private readonly turns = new KeyedSemaphore(1, 'Too many customers are joining.', MAX_JOINS);

  constructor(private readonly admission: PoolAdmission) {}

  /**
   * Runs `join` when it is its turn, and again while it throws DepartmentLocked.
   * @throws ConnectionLimitError if the turn has not come in the time of a public request, or the client has left
   */
  async take<T>(departmentId: string, join: () => Promise<T>): Promise<T> {
    const signal = clientSignal();
    const leave = await this.admission.waitPublic((remainingMs) =>
      this.turns.acquire(departmentId, remainingMs, signal),
    );
    try {
      for (;;) {
        try {
          return await join();
        } catch (error) {
          const pauseMs = RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min);
          const canWait = pauseMs < this.admission.remainingPublicMs && !signal?.aborted;
          if (!(error instanceof DepartmentLocked) || !canWait) throw error;
          await this.admission.waitPublic(() => delay(pauseMs));
        }
      }
    } finally {
      leave();
    }
  }
}
