import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { AgentStates } from './agent-states';

const INTERVAL_MS = 10_000;
/** Agents that one statement finds. */
const MAX_AGENTS = 1000;

interface StaleAgent {
  tenant_id: string;
  user_id: string;
}

/** Agents who are offline and were announced as such are left out: nothing can have changed for them without a socket. */
const STALE = `SELECT p.tenant_id, p.user_id FROM presences p JOIN agent_states s ON s.user_id = p.user_id
  WHERE (p.state <> 'offline' OR EXISTS (SELECT FROM connections o WHERE o.user_id = p.user_id))
    AND (p.state, p.state_reason, p.announced) IS DISTINCT FROM (s.state, s.reason, s.presence)
  LIMIT ${MAX_AGENTS}`;

/**
 * Announces the states of agents that nobody has announced: an instance of the previous release changes calls and sockets
 * without announcing states.
 */
@Injectable()
export class StaleAgents implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: RecurringTask;

  constructor(
    private readonly database: Database,
    private readonly states: AgentStates,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(StaleAgents.name, intervals.of(INTERVAL_MS), () => this.correct());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  /** A change that is being made meanwhile is announced by its own transaction, and again here without effect. */
  correct(): Promise<void> {
    return runAsReservedBackgroundWork(async () => {
      const [agents] = await this.database.readSystem<[StaleAgent]>([{ text: STALE, values: [] }]);
      for (const { tenant_id, user_id } of agents) {
        await this.database.tenant(tenant_id, (tx) => this.states.announce(tx, tenant_id, [user_id]));
      }
    });
  }
}
