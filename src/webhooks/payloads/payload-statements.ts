import { LINK_STATUS_SQL } from '../../access-links/access-link.dto';
import type { Statement } from '../../platform/database/statement';

const CALLS = `c.id, c.version, c.status, c.department_id, c.department_name, c.user_id, c.user_name, c.customer_id,
  c.customer_name, c.customer_email, c.customer_phone, c.access_link_id, c.reason, c.estimated_wait_time, c.wait_time,
  c.duration, c.rating, c.end_reason, c.has_recording, c.inserted_at, c.assigned_at, c.started_at, c.completed_at,
  c.ended_at, c.rating_comment`;

const RECORDINGS = `r.id, r.call_id, r.content_type, r.size::float8 AS size, r.duration,
  '/api/v1/calls/' || r.call_id || '/recording?recording_id=' || r.id AS url, r.inserted_at`;

const CUSTOMERS = `c.id, c.name, c.email, c.phone, c.document, c.notes, c.metadata, c.call_count, c.last_call_at,
  c.inserted_at, c.updated_at`;

const LINKS = `l.id, l.department_id, COALESCE(d.name, l.department_name) AS department_name, l.customer_id, l.label,
  ${LINK_STATUS_SQL} AS status, l.max_uses, l.use_count, l.expires_at, l.created_by, l.inserted_at`;

const APPOINTMENTS = `a.id, a.department_id, a.user_id, a.customer_id, a.title, a.starts_at, a.ends_at, a.status,
  a.notes, a.inserted_at, a.updated_at`;

const DEPARTMENTS = `d.id, d.name, d.identifier, d.description, d.active, d.sector_id, d.max_queue_size,
  d.max_wait_time,
  (SELECT count(*)::int FROM department_members m WHERE m.department_id = d.id) AS user_count,
  d.inserted_at, d.updated_at`;

const USERS = `u.id, u.name, u.email, u.phone, u.role, u.active,
  ARRAY(SELECT m.department_id FROM department_members m WHERE m.user_id = u.id ORDER BY m.department_id)
    AS department_ids,
  u.inserted_at, u.updated_at`;

/** By the kind of record, as events name it in `subject_type`. */
const SELECTS: Record<string, string> = {
  call: `SELECT ${CALLS} FROM calls c WHERE c.tenant_id = $1 AND c.id = ANY ($2)`,
  recording: `SELECT ${RECORDINGS} FROM recordings r WHERE r.tenant_id = $1 AND r.id = ANY ($2)`,
  customer: `SELECT ${CUSTOMERS} FROM customers c WHERE c.tenant_id = $1 AND c.id = ANY ($2)`,
  appointment: `SELECT ${APPOINTMENTS} FROM appointments a WHERE a.tenant_id = $1 AND a.id = ANY ($2)`,
  department: `SELECT ${DEPARTMENTS} FROM departments d WHERE d.tenant_id = $1 AND d.id = ANY ($2)`,
  user: `SELECT ${USERS} FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2)`,
};

/** `$1` is the moment that LINK_STATUS_SQL asks about. */
const SELECT_LINKS = `SELECT ${LINKS} FROM access_links l LEFT JOIN departments d ON d.id = l.department_id
  WHERE l.tenant_id = $2 AND l.id = ANY ($3)`;

/**
 * Reads the records of a kind.
 * @param at the moment, ISO 8601, at which links are looked at
 * @returns undefined for a kind of which events themselves say everything
 */
export function statementFor(
  kind: string,
  tenantId: string,
  ids: string[],
  at: string,
): Required<Pick<Statement, 'text' | 'values'>> | undefined {
  if (kind === 'access_link') return { text: SELECT_LINKS, values: [at, tenantId, ids] };
  const text = SELECTS[kind];
  return text === undefined ? undefined : { text, values: [tenantId, ids] };
}
