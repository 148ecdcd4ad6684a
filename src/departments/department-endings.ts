import { setTimeout } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { Jobs } from '../platform/jobs/jobs';

const QUEUE = 'deletion-endings';

export interface DeletedDepartment {
  tenant_id: string;
  id: string;
  name: string;
}

/** What a deleted department leaves behind, of which there can be hundreds of thousands of rows. */
interface Ending {
  /** Endings of a higher priority run first. */
  priority: number;
  /**
   * Ends some rows in a short transaction. Ended rows must not be found again.
   * @returns whether it found any, also if other transactions took them all before it had locked them: then there may be more
   */
  runBatch(this: void, tx: Transaction, department: DeletedDepartment): Promise<boolean>;
}

/**
 * Ends in steps what deleted departments leave behind. Each context registers its own ending. A job does one batch and writes the
 * job for the next one in the same transaction, behind those of other departments: so it survives a restart, and a large
 * department does not keep others waiting.
 */
@Injectable()
export class DepartmentEndings implements OnModuleInit {
  private readonly endings = new Map<string, Ending>();

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  /** Call it before the application has started. @param name of what is ended; it is part of the jobs */
  register(name: string, ending: Ending): void {
    this.endings.set(name, ending);
  }

  onModuleInit(): void {
    this.jobs.handle<DeletedDepartment & { ending: string }>(QUEUE, ({ ending, ...department }) =>
      this.run(ending, department),
    );
  }

  /** Writes the jobs in the transaction that deletes the department. */
  async begin(tx: Transaction, department: DeletedDepartment): Promise<void> {
    for (const name of this.endings.keys()) await this.enqueue(tx, name, department);
  }

  private async run(name: string, department: DeletedDepartment): Promise<void> {
    const startedAt = performance.now();
    const mayHaveMore = await this.database.tenant(department.tenant_id, async (tx) => {
      const hasMore = await this.ending(name).runBatch(tx, department);
      if (hasMore) await this.enqueue(tx, name, department);
      return hasMore;
    });
    // A pause as long as the batch leaves at least half of the time to other work.
    if (mayHaveMore) await setTimeout(performance.now() - startedAt);
  }

  private enqueue(tx: Transaction, ending: string, department: DeletedDepartment): Promise<void> {
    return this.jobs.enqueue(
      tx,
      QUEUE,
      { ...department, ending },
      { priority: this.ending(ending).priority },
    );
  }

  private ending(name: string): Ending {
    const ending = this.endings.get(name);
    if (!ending) throw new Error(`No ending is called ${name}.`);
    return ending;
  }
}
