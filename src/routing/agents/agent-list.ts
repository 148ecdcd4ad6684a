import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { hasMinimumRole } from '../../platform/access/roles';
import { selectList } from '../../platform/database/columns';
import { Database } from '../../platform/database/database';
import { Filter } from '../../platform/database/filter';
import { naturalOrder } from '../../platform/database/natural-order';
import type { Statement } from '../../platform/database/statement';
import { notFound } from '../../platform/http/errors/api-error';
import { AGENT_COLUMNS } from './agent.columns';
import type { AgentDto } from './agent.dto';

const AGENTS = `SELECT ${selectList(AGENT_COLUMNS)} FROM users u JOIN presences p ON p.user_id = u.id`;

const BY_NAME = `ORDER BY ${naturalOrder('u.name')}, u.id`;

/** The users of a company as agents, with their states. */
@Injectable()
export class AgentList {
  constructor(private readonly database: Database) {}

  /** The active users of the company, or of one department, by name. */
  async list(tenantId: string, departmentId?: string): Promise<AgentDto[]> {
    const filter = activeIn(tenantId).andIf(
      'u.id IN (SELECT m.user_id FROM department_members m WHERE m.department_id = ?)',
      departmentId,
    );
    const [agents] = await this.database.readTenant<[AgentDto]>(tenantId, [agentsMatching(filter)]);
    return agents;
  }

  /** @throws 404 */
  async get(tenantId: string, userId: string): Promise<AgentDto> {
    const filter = new Filter().and('u.tenant_id = ?', tenantId).and('u.id = ?', userId);
    const [agents] = await this.database.readTenant<[AgentDto]>(tenantId, [agentsMatching(filter)]);
    const [agent] = agents;
    if (!agent) throw notFound('User');
    return agent;
  }

  /** Selects the agents that a user may see: all for supervisors, otherwise themselves and those of their departments. */
  visibleTo({ tenant_id, user_id, role }: Principal): Statement {
    const filter = activeIn(tenant_id);
    if (!hasMinimumRole(role, 'supervisor')) {
      filter.and(
        `(u.id = ? OR u.id IN (SELECT m.user_id FROM department_members own
           JOIN department_members m ON m.tenant_id = own.tenant_id AND m.department_id = own.department_id
           WHERE own.user_id = ?))`,
        user_id,
      );
    }
    return agentsMatching(filter);
  }
}

const activeIn = (tenantId: string): Filter => new Filter().and('u.active AND u.tenant_id = ?', tenantId);

const agentsMatching = ({ sql, values }: Filter): Statement => ({
  text: `${AGENTS} ${sql} ${BY_NAME}`,
  values,
});
