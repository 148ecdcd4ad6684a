import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { GENERIC_PLAN, type Statement } from '../../platform/database/statement';
import { isOffered } from '../offers/eligibility-sql';
import { bestAgentOf } from '../offers/select-agent';

/**
 * One probe of the entries of each call, and a search among the available agents of each line. Agents of the departments that
 * the calls joined are served before those of the departments to which they overflowed.
 */
const AGENTS_OF_CALLS = `SELECT best.user_id
  FROM line_entries w
    JOIN departments d ON d.tenant_id = w.tenant_id AND d.id = w.department_id AND d.active AND d.routing = 'automatic'
    JOIN tenants t ON t.id = w.tenant_id AND t.suspended_at IS NULL
    CROSS JOIN LATERAL (${bestAgentOf({ call: 'w.call_id', department: 'w.department_id', now: '$2' })}) best
  WHERE w.tenant_id = $1 AND w.call_id = ANY ($3) AND w.present AND w.present_until > $2
    AND NOT ${isOffered('w.tenant_id', 'w.call_id')}
  GROUP BY best.user_id ORDER BY bool_and(w.overflowed_from IS NOT NULL), best.user_id`;

/** Selects the best agent (user_id) for each of these calls that can be offered. */
export const agentsOfCallsStatement = (
  tenantId: string,
  callIds: readonly string[],
  now: Date,
): Statement => ({ text: AGENTS_OF_CALLS, values: [tenantId, now, callIds] });

/** Finds agents for waiting calls that may be offered now. */
@Injectable()
export class AgentsOfCalls {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns the ids of the best agents, each once; calls that nobody can take have none */
  async find(tenantId: string, callIds: readonly string[]): Promise<string[]> {
    const statement = agentsOfCallsStatement(tenantId, callIds, this.clock.now());
    const [, agents] = await this.database.readTenant<[object, { user_id: string }]>(tenantId, [
      GENERIC_PLAN,
      statement,
    ]);
    return agents.map(({ user_id }) => user_id);
  }
}
