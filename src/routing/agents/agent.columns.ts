import { type ColumnsOf } from '../../platform/database/columns';
import type { AgentDto } from './agent.dto';

/**
 * The columns of `users u` with their row `p` of presences. The state is the one announced last, so that it agrees with the
 * events.
 */
export const AGENT_COLUMNS: ColumnsOf<AgentDto> = {
  user_id: 'u.id',
  name: 'u.name',
  state: 'p.state',
  reason: 'p.state_reason',
  since: 'p.state_since',
  idle_since: 'p.idle_since',
  wrap_up_until: 'p.wrap_up_until',
  call_id: `CASE p.state WHEN 'on_call' THEN (SELECT c.id FROM calls c
    WHERE c.tenant_id = u.tenant_id AND c.user_id = u.id AND c.status IN ('assigned', 'active')
    ORDER BY c.status, c.id LIMIT 1) END`,
};
