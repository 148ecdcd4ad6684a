import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';

/** Agents that one sweep looks at. If there are more, each sweep takes others. */
const MAX_AGENTS = 100;

const HAS_PRESENT = 'e.department_id = m.department_id AND e.present AND e.present_until > $1';

/**
 * Available agents for whom customers wait in the line of a department of theirs, or with a reservation. Whether they can
 * take one of the calls is left to the search for each of them, whose cost does not depend on the length of the line: to
 * compare all agents with all kinds of calls would cost the product of both.
 */
const WAITING_AGENTS = `SELECT p.tenant_id, p.user_id FROM presences p JOIN tenants t ON t.id = p.tenant_id
  WHERE p.state = 'available' AND t.suspended_at IS NULL AND (
    EXISTS (SELECT FROM department_members m
        JOIN departments d ON d.tenant_id = m.tenant_id AND d.id = m.department_id AND d.active AND d.routing = 'automatic'
      WHERE m.user_id = p.user_id AND EXISTS (SELECT FROM line_entries e WHERE ${HAS_PRESENT} OFFSET 0) OFFSET 0)
    OR EXISTS (SELECT FROM line_entries e WHERE e.reserved_user_id = p.user_id AND e.present OFFSET 0))
  ORDER BY random() LIMIT ${MAX_AGENTS}`;

export interface WaitingAgent {
  tenant_id: string;
  user_id: string;
}

/** Finds available agents who may be able to take a waiting call. */
@Injectable()
export class WaitingAgents {
  constructor(private readonly database: Database) {}

  /** Of all tenants. */
  async find(now: Date): Promise<WaitingAgent[]> {
    const [agents] = await this.database.readSystem<[WaitingAgent]>([
      { text: WAITING_AGENTS, values: [now] },
    ]);
    return agents;
  }
}
