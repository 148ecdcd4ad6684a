import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Statement } from '../../platform/database/statement';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { type AlertKind, QueueAlert } from './alert.events';

const CHECK_INTERVAL_MS = 5000;
/** An arbitrary key, the same on all instances. */
const ALERTS_LOCK = 7_304_513;

/**
 * Ends the alerts ($1: the time) that no longer apply, and begins those that do. For each department of the companies that
 * want alerts it reads one entry of the line, by line_entries_oldest_idx; calls that overflowed to it
 * concern the department they came from, and customers who will be called back do not wait for an agent. A transferred call waits since the transfer, not
 * since the customer joined. The states of agents are read only for a department with a waiting call, until one agent is found who can be reached.
 */
const UPDATE_ALERTS = `WITH waiting AS MATERIALIZED (
    SELECT d.tenant_id, d.id AS department_id, t.alert_nobody_available,
      oldest.waits_since + make_interval(secs => t.alert_longest_wait) AS exceeded_at
    FROM tenants t JOIN departments d ON d.tenant_id = t.id
      CROSS JOIN LATERAL (
        SELECT e.waits_since FROM line_entries e WHERE e.department_id = d.id AND e.overflowed_from IS NULL
          AND NOT e.awaits_callback
        ORDER BY e.waits_since LIMIT 1) oldest
    WHERE (t.alert_longest_wait IS NOT NULL OR t.alert_nobody_available) AND t.suspended_at IS NULL),
  applicable AS MATERIALIZED (
    SELECT tenant_id, department_id, 'longest_wait' AS kind, exceeded_at AS since FROM waiting
    WHERE exceeded_at <= $1::timestamptz
    UNION ALL
    SELECT tenant_id, department_id, 'nobody_available', $1 FROM waiting w
    WHERE alert_nobody_available AND NOT EXISTS (
      SELECT FROM department_members m JOIN agent_states s ON s.user_id = m.user_id
      WHERE m.department_id = w.department_id AND s.active AND s.state NOT IN ('offline', 'paused'))),
  ended AS (
    UPDATE queue_alerts a SET ended_at = $1
    WHERE a.ended_at IS NULL
      AND NOT EXISTS (SELECT FROM applicable w WHERE w.department_id = a.department_id AND w.kind = a.kind))
  INSERT INTO queue_alerts (tenant_id, department_id, kind, since)
  SELECT tenant_id, department_id, kind, since FROM applicable
  ON CONFLICT (department_id, kind) WHERE ended_at IS NULL DO NOTHING
  RETURNING tenant_id, department_id, kind, since`;

/** @returns the statement that ends and begins alerts at this time; its rows are those that begin (BegunAlert) */
export function updateAlertsStatement(now: Date): Required<Pick<Statement, 'text' | 'values'>> {
  return { text: UPDATE_ALERTS, values: [now] };
}

interface BegunAlert {
  tenant_id: string;
  department_id: string;
  kind: AlertKind;
  since: Date;
}

/**
 * Alerts supervisors when a call of a department has waited for the company's alert_longest_wait, and, if the company wants
 * it, when calls wait and all agents of the department are offline or paused. An episode is announced once, when it begins.
 */
@Injectable()
export class QueueAlerts implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: RecurringTask;

  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly clock: Clock,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(QueueAlerts.name, intervals.of(CHECK_INTERVAL_MS), () => this.check());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** Checks all companies, unless another instance is doing so. */
  async check(): Promise<void> {
    await this.database.system(async (tx) => {
      const lock = await tx.one<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
        ALERTS_LOCK,
      ]);
      if (lock?.locked) await this.update(tx, this.clock.now());
    });
  }

  private async update(tx: Transaction, now: Date): Promise<void> {
    const { text, values } = updateAlertsStatement(now);
    const begun = await tx.query<BegunAlert>(text, values);
    for (const { tenant_id, department_id, kind, since } of begun) {
      await this.events.record(tx, new QueueAlert(tenant_id, department_id, kind, since.toISOString(), now));
    }
  }
}
