import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { CONFIG, type Config } from '../../config/config';
import { RecurringTask } from '../../jobs/recurring-task';
import { TaskIntervals } from '../../jobs/task-intervals';
import { Metrics } from '../../metrics/metrics';
import { OutboundGate } from './outbound-gate';
import { Database } from '../database';
import type { Transaction } from '../transaction';
import {
  CURRENT_TIMELINE_SQL,
  differences,
  IDENTITY_COLUMNS,
  type InstallationIdentity,
  readIdentity,
} from './installation-identity';
import type { PauseReason } from './installation-pause';

const CHECK_INTERVAL_MS = 5000;

interface Pauses {
  pause_reason: PauseReason | null;
  resumed_at: Date | null;
}

const READ_RECORDED = `SELECT ${IDENTITY_COLUMNS.map((column) => `${column}::text`).join(', ')}, resumed_at, pause_reason
  FROM installation FOR UPDATE`;

/**
 * Recognises at the start that the database was restored or copied, and then pauses what the installation sends: the
 * original may have sent the same, or may still be running. Afterwards it keeps OutboundGate in step with the database.
 */
@Injectable()
export class InstallationMonitor implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Installation');
  private readonly task: RecurringTask;
  /** The timeline with which this process has recognised the database; null if the server does not show it. */
  private timeline: string | null = null;

  constructor(
    private readonly database: Database,
    private readonly gate: OutboundGate,
    intervals: TaskIntervals,
    { registry }: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.task = new RecurringTask('Installation', intervals.of(CHECK_INTERVAL_MS), () => this.check());
    const gauge: Gauge = new Gauge({
      name: 'vcq_outbound_paused',
      help: 'Whether mails and webhooks wait because the installation is paused: 1 or 0',
      registers: [registry],
      collect: () => gauge.set(gate.isPaused ? 1 : 0),
    });
  }

  /** Before the first job runs. */
  async onModuleInit(): Promise<void> {
    if (!this.config.isWorker) return;
    const current = await readIdentity(this.database);
    const { pause_reason, resumed_at } = await this.database.system((tx) => this.recognise(tx, current));
    this.timeline = current.timeline;
    this.gate.setPaused(pause_reason !== null, resumed_at);
    if (pause_reason !== null) this.logger.warn(PAUSED[pause_reason]);
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** @returns why the installation is paused, and when the last pause ended */
  private async recognise(tx: Transaction, current: InstallationIdentity): Promise<Pauses> {
    const recorded = await tx.one<InstallationIdentity & Pauses>(READ_RECORDED);
    if (!recorded)
      throw new Error('The table installation has no row. Was the dump made without app.system?');
    const changed = differences(recorded, current);
    await tx.query(
      `UPDATE installation SET system_identifier = $1, database_oid = $2, relation_oid = $3, timeline = $4,
         recorded_at = COALESCE(recorded_at, now())`,
      IDENTITY_COLUMNS.map((column) => current[column] ?? recorded[column]),
    );
    if (changed.length === 0) return recorded;
    this.logger.warn(`The database has another ${changed.join(', ')} than before.`);
    await tx.query(
      `UPDATE installation SET recorded_at = now(), paused_at = now(), pause_reason = 'restored',
         erasures_applied_at = NULL`,
    );
    return { ...recorded, pause_reason: 'restored' };
  }

  /** Another timeline under a running process is a failover: the same data go on elsewhere. */
  private async check(): Promise<void> {
    const timeline = this.timeline === null ? 'NULL' : CURRENT_TIMELINE_SQL;
    const [rows] = await this.database.readSystem<
      [{ is_paused: boolean; resumed_at: Date | null; timeline: string | null }]
    >([
      {
        text: `SELECT paused_at IS NOT NULL AS is_paused, resumed_at, ${timeline} AS timeline FROM installation`,
      },
    ]);
    const [state] = rows;
    if (!state) return;
    if (state.timeline !== this.timeline) await this.recordFailover(state.timeline);
    if (state.is_paused !== this.gate.isPaused) this.logger.warn(state.is_paused ? PAUSED.operator : RESUMED);
    this.gate.setPaused(state.is_paused, state.resumed_at);
  }

  private async recordFailover(timeline: string | null): Promise<void> {
    await this.database.system((tx) =>
      tx.query('UPDATE installation SET timeline = $1 WHERE timeline = $2', [timeline, this.timeline]),
    );
    this.logger.warn(`PostgreSQL has changed from timeline ${this.timeline} to ${timeline}: a failover.`);
    this.timeline = timeline;
  }
}

const WAITING = 'Mails and webhooks wait, and no stored object is deleted, until the command `resume`.';
const PAUSED: Record<PauseReason, string> = {
  restored: `This database was restored or copied. ${WAITING}`,
  operator: `The installation is paused. ${WAITING}`,
};
const RESUMED = 'The installation sends mails and webhooks again.';
