import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { Database } from '../../../platform/database/database';
import type { Transaction } from '../../../platform/database/transaction';
import { RecurringTask } from '../../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../../platform/jobs/task-intervals';
import type { JoinEstimate } from './join-estimate.rules';
import { LearnedWaitsCache } from './learned-waits-cache';
import { DUE_SQL, HISTORY_SQL, TAKE_SQL } from './learning-sql';
import {
  addWaits,
  beginLearning,
  keptWaits,
  learningFrom,
  type LockedLearning,
  lockLearning,
  recentAnswers,
  storeLearning,
} from './learning-store';
import {
  areRatiosDue,
  type EndedWait,
  type HandledPart,
  learnAll,
  MAX_LEARNED_WAITS,
  ratiosOf,
  type WaitOutcome,
} from './wait-learning.rules';

const INTERVAL_MS = 30_000;
/** Departments of one run; if more have something to learn, each run takes others. */
const MAX_DEPARTMENTS = 200;
/** Waits and parts that a department learns in one transaction. */
const MAX_ENDED = 500;
/** How much of the past a department learns that begins to. */
const HISTORY_MS = 28 * 24 * 3600 * 1000;

interface Department {
  tenant_id: string;
  id: string;
}

/** A wait, or a part of a call: the fields of the other one are null. */
interface EndedRow {
  at: number;
  outcome: WaitOutcome | null;
  waited: number | null;
  estimate: JoinEstimate | null;
  seconds: number | null;
  hour: number | null;
}

/**
 * Departments learn from the waits and parts of calls that have ended, by which waits are estimated. The lock of what a
 * department has learned keeps two instances from learning the same.
 */
@Injectable()
export class WaitLearner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WaitLearner.name);
  private readonly task: RecurringTask;

  constructor(
    private readonly database: Database,
    private readonly learned: LearnedWaitsCache,
    private readonly clock: Clock,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(WaitLearner.name, intervals.of(INTERVAL_MS), () => this.run());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** All departments with something to learn, each in its own transaction. */
  async run(): Promise<void> {
    const [departments] = await this.database.readSystem<[Department]>([
      { text: DUE_SQL, values: [MAX_DEPARTMENTS] },
    ]);
    for (const department of departments) {
      if (this.task.isStopped) return;
      // One department that cannot learn must not hold up the others.
      await this.learn(department).catch((error: unknown) =>
        this.logger.error(error, `The department ${department.id} failed to learn from its waits`),
      );
    }
    await this.learned.reload(departments.map(({ id }) => id));
  }

  /** Learns from what has ended since the last time, at most MAX_ENDED waits and parts. */
  async learn({ tenant_id, id }: Department): Promise<void> {
    await this.database.tenant(tenant_id, async (tx) => {
      const known = await lockLearning(tx, id);
      if (known) return this.learnFrom(tx, { tenant_id, id }, known, await this.take(tx, id, known));
      const begun = await beginLearning(tx, id, this.clock.now());
      if (begun) await this.learnFrom(tx, { tenant_id, id }, begun, await this.history(tx, id, begun));
    });
  }

  private take(tx: Transaction, id: string, { timezone }: LockedLearning): Promise<EndedRow[]> {
    return tx.query<EndedRow>(TAKE_SQL, [id, MAX_ENDED, timezone]);
  }

  private history(tx: Transaction, id: string, { timezone }: LockedLearning): Promise<EndedRow[]> {
    const since = new Date(this.clock.now().getTime() - HISTORY_MS);
    return tx.query<EndedRow>(HISTORY_SQL, [id, MAX_LEARNED_WAITS, timezone, since]);
  }

  private async learnFrom(
    tx: Transaction,
    { tenant_id, id }: Department,
    known: LockedLearning,
    ended: readonly EndedRow[],
  ): Promise<void> {
    if (ended.length === 0) return;
    const before = learningFrom(known, await recentAnswers(tx, id));
    const { learning, waits } = learnAll(before, ended.map(itemOf));
    addWaits(tx, tenant_id, id, waits);
    const { inUse } = learning.choice;
    const wait_count = known.wait_count + waits.length;
    const isDue = inUse !== known.in_use || areRatiosDue(known.ratios_count, wait_count);
    const ranges = isDue
      ? { ratios: ratiosOf(await keptWaits(tx, id), inUse), ratios_count: wait_count }
      : { ratios: known.ratios, ratios_count: known.ratios_count };
    storeLearning(tx, id, learning, { ...ranges, wait_count }, this.clock.now());
  }
}

const itemOf = ({ at, outcome, waited, estimate, seconds, hour }: EndedRow): EndedWait | HandledPart =>
  outcome === null
    ? { at, seconds: seconds ?? 0, hour: hour ?? 0 }
    : { at, waited: waited ?? 0, outcome, estimate };
