import type { ServiceRate } from './queue.rules';

/** How many completed calls of a department its service rate is computed from. */
const RECENT_CALLS = 50;

/** The service rate of the department `d`, as columns. */
export const SERVICE_RATE_SQL = `
  (SELECT avg(recent.duration)::float8 FROM (
     SELECT c.duration FROM calls c
     WHERE c.tenant_id = d.tenant_id AND c.department_id = d.id AND c.status = 'completed'
       AND c.duration IS NOT NULL
     ORDER BY c.completed_at DESC LIMIT ${RECENT_CALLS}) recent) AS mean_handle_time,
  (SELECT count(*)::int FROM department_members m
     JOIN users u ON u.id = m.user_id AND u.active
     JOIN user_presence p ON p.user_id = m.user_id
   WHERE m.department_id = d.id AND p.presence IN ('online', 'busy')) AS online_agents`;

/** The service rate of a department that does not exist. */
export const NO_RATE: ServiceRate = { mean_handle_time: null, online_agents: 0 };
