import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';

/** Agents that one sweep looks at. If there are more, each sweep takes others. */
const MAX_AGENTS = 100;

const HAS_PRESENT = 'e.department_id = m.department_id AND e.present AND e.present_until > $1';

/**
 * Available agents for whom customers wait in the line of a department of theirs, or with a reservation. Whether they can
 * take one of the calls is left to the search for each of them, whose cost does not depend on the length of the line: to
 * compare all agents with all kinds of calls would cost the product of both.
 */
const waitingAgents = (
  condition: string,
) => `SELECT p.tenant_id, p.user_id FROM presences p JOIN tenants t ON t.id = p.tenant_id
  WHERE ${condition} p.state = 'available' AND t.suspended_at IS NULL AND (
    EXISTS (SELECT FROM department_members m
        JOIN departments d ON d.tenant_id = m.tenant_id AND d.id = m.department_id AND d.active AND d.routing = 'automatic'
      WHERE m.user_id = p.user_id AND EXISTS (SELECT FROM line_entries e WHERE ${HAS_PRESENT} OFFSET 0) OFFSET 0)
    OR EXISTS (SELECT FROM line_entries e WHERE e.reserved_user_id = p.user_id AND e.present OFFSET 0))
  ORDER BY random() LIMIT ${MAX_AGENTS}`;

const OF_ALL_TENANTS = waitingAgents('');
const OF_TENANT = waitingAgents('p.tenant_id = $2 AND');

export interface WaitingAgent {
  tenant_id: string;
  user_id: string;
}

/** Finds available agents who may be able to take a waiting call. */
@Injectable()
export class WaitingAgents {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async ofAllTenants(): Promise<WaitingAgent[]> {
    const [agents] = await this.database.readSystem<[WaitingAgent]>([
      { text: OF_ALL_TENANTS, values: [this.clock.now()] },
    ]);
    return agents;
  }

  /** @returns the ids of the users */
  async ofTenant(tenantId: string): Promise<string[]> {
    const [agents] = await this.database.readTenant<[WaitingAgent]>(tenantId, [
      { text: OF_TENANT, values: [this.clock.now(), tenantId] },
    ]);
    return agents.map(({ user_id }) => user_id);
  }
}
