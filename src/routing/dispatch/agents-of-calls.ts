import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { GENERIC_PLAN, type Statement } from '../../platform/database/statement';
import { isOffered } from '../offers/eligibility-sql';
import { bestAgentsOf } from '../offers/select-agent';

/**
 * One probe of the entries of each call, and a search among the available agents of each line. Calls of one lane have the
 * same agents, so each of them adds the agent of its place among these calls: one round finds an agent for each. The best
 * agent of each call is found in any case, because exclusions differ. Agents of the departments that the calls joined are
 * served before those of the departments to which they overflowed, and the better ones first.
 */
const AGENTS_OF_CALLS = `WITH free AS MATERIALIZED (
    SELECT w.call_id, w.department_id, w.overflowed_from,
      row_number() OVER (PARTITION BY w.department_id, w.lane ORDER BY w.first_at, w.rank_at, w.queue_number) AS place
    FROM line_entries w
      JOIN departments d ON d.tenant_id = w.tenant_id AND d.id = w.department_id AND d.active AND d.routing = 'automatic'
      JOIN tenants t ON t.id = w.tenant_id AND t.suspended_at IS NULL
    WHERE w.tenant_id = $1 AND w.call_id = ANY ($3) AND w.present AND w.present_until > $2
      AND NOT ${isOffered('w.tenant_id', 'w.call_id')})
  SELECT best.user_id
  FROM free f CROSS JOIN LATERAL (
    ${bestAgentsOf({ call: 'f.call_id', department: 'f.department_id', now: '$2' }, 'f.place')}) best
  GROUP BY best.user_id ORDER BY bool_and(f.overflowed_from IS NOT NULL), min(best.place), best.user_id`;

/** Selects the best agents (user_id) for those of these calls that can be offered, as many as there are calls of a lane. */
export const agentsOfCallsStatement = (
  tenantId: string,
  callIds: readonly string[],
  now: Date,
): Statement => ({ text: AGENTS_OF_CALLS, values: [tenantId, now, callIds], settings: GENERIC_PLAN });

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
    const [agents] = await this.database.readTenant<[{ user_id: string }]>(tenantId, [statement]);
    return agents.map(({ user_id }) => user_id);
  }
}
