import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { Recurring } from '../platform/jobs/recurring';
import type { Transaction } from '../platform/database/transaction';
import { dueTrigger } from './call.effects';
import { Call } from './call.entity';
import { CallTransitions } from './transition-call';

const EVERY_MS = 500;
const BATCH = 50;
const NO_ID = '00000000-0000-0000-0000-000000000000';

interface DueCall {
  id: string;
  tenant_id: string;
  next_deadline: string;
}

/**
 * Acts on deadlines that have passed. A deadline is a column, so it outlives the process, and whichever
 * instance comes first acts on it: SKIP LOCKED hands each due call to one of them.
 */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Sweeper.name);
  private readonly recurring = new Recurring(Sweeper.name, EVERY_MS, () => this.sweep());

  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.recurring.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.recurring.stop();
  }

  /** Settles everything that is due, each call in a transaction of its own. */
  async sweep(): Promise<void> {
    const now = this.clock.now();
    let batch: DueCall[] = [];
    do {
      batch = await this.due(now, batch.at(-1));
      for (const { id, tenant_id } of batch) await this.trySettle(tenant_id, id);
    } while (batch.length === BATCH && !this.recurring.isStopped);
  }

  /** One call that cannot be settled must not hold up the others. */
  private async trySettle(tenantId: string, id: string): Promise<void> {
    try {
      await this.database.tenant(tenantId, (tx) => this.settle(tx, id));
    } catch (error) {
      this.logger.error(error, `Deadline of call ${id} failed`);
    }
  }

  /** Due calls after `last`, the longest overdue first. */
  private async due(now: Date, last: DueCall | undefined): Promise<DueCall[]> {
    const [rows] = await this.database.readSystem<[DueCall]>([
      {
        name: 'due-calls',
        text: `SELECT id, tenant_id, next_deadline FROM calls
               WHERE next_deadline <= $1 AND (next_deadline, id) > ($2, $3)
               ORDER BY next_deadline, id LIMIT ${BATCH}`,
        values: [now, last?.next_deadline ?? '-infinity', last?.id ?? NO_ID],
      },
    ]);
    return rows;
  }

  private async settle(tx: Transaction, id: string): Promise<void> {
    const call = await tx.repository(Call).findOne({
      where: { id },
      lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
    });
    // Locked by somebody else, or changed since: whoever holds it decides, and the next sweep looks again.
    const trigger = call && dueTrigger(call, this.clock.now());
    if (trigger) await this.transitions.apply(tx, call, { trigger });
  }
}
