import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { type AgentId, type AvailableAgent, availableAgentsStatement, BATCH } from './available-agents';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Agents of one company whom calls wait for. */
export interface WaitingAgents {
  tenant_id: string;
  user_ids: string[];
}

/** Finds the available agents who can take a waiting call, in batches. */
@Injectable()
export class FindWaitingAgents {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns the agents of a batch by company, until all companies have been considered */
  async *ofAllTenants(): AsyncGenerator<WaitingAgents[]> {
    const first = { tenant_id: FIRST_ID, user_id: FIRST_ID };
    const next = async (after: AgentId) => {
      const statement = availableAgentsStatement(this.clock.now(), after, false);
      const [agents] = await this.database.readSystem<[AvailableAgent]>([statement]);
      return agents;
    };
    for await (const agents of batches(first, next)) yield waitedFor(agents);
  }

  /** @returns the ids of the users of a batch, until all available agents of the tenant have been considered */
  async *ofTenant(tenantId: string): AsyncGenerator<string[]> {
    const next = async (after: AgentId) => {
      const statement = availableAgentsStatement(this.clock.now(), after, true);
      const [agents] = await this.database.readTenant<[AvailableAgent]>(tenantId, [statement]);
      return agents;
    };
    for await (const agents of batches({ tenant_id: tenantId, user_id: FIRST_ID }, next)) {
      yield waitedFor(agents).flatMap(({ user_ids }) => user_ids);
    }
  }
}

async function* batches(
  first: AgentId,
  next: (after: AgentId) => Promise<AvailableAgent[]>,
): AsyncGenerator<AvailableAgent[]> {
  let after: AgentId | undefined = first;
  while (after) {
    const agents: AvailableAgent[] = await next(after);
    yield agents;
    after = agents.length < BATCH ? undefined : agents.at(-1);
  }
}

/** By company, in an order of their own: instances that sweep at the same time should not all want the same agent. */
function waitedFor(agents: AvailableAgent[]): WaitingAgents[] {
  const wanted = agents
    .filter(({ is_waited_for }) => is_waited_for)
    .map((agent) => ({ ...agent, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place);
  return [...Map.groupBy(wanted, ({ tenant_id }) => tenant_id)].map(([tenant_id, group]) => ({
    tenant_id,
    user_ids: group.map(({ user_id }) => user_id),
  }));
}
