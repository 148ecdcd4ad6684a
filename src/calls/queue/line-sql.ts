import { QUEUE_ORDER_SQL } from './queue-order';

/** The columns by which QUEUE_ORDER_SQL and rankOf order calls. */
export const RANK_COLUMNS = 'priority_since, rank_at, queue_number';

/**
 * How long the waiting call may wait at most, in seconds, while its wait has no deadline because the customer will be called
 * back: from their return on, for the max_wait_time of its own department.
 */
export const suspendedLimit = (call: string) => `CASE WHEN ${call}.wait_deadline IS NULL THEN (
  SELECT joined.max_wait_time FROM departments joined
  WHERE joined.tenant_id = ${call}.tenant_id AND joined.id = ${call}.department_id) END`;

const inLine = (tenant: string, department: string, columns: string, rest: string) => `(
  (SELECT ${columns} FROM calls
   WHERE tenant_id = ${tenant} AND department_id = ${department} AND status = 'queued'${rest})
  UNION ALL
  (SELECT ${columns} FROM calls
   WHERE tenant_id = ${tenant} AND overflow_department_id = ${department} AND ended_at IS NULL AND status = 'queued'${rest}))`;

/**
 * The waiting calls in the line of a department, as an item of a FROM list: its own and those that overflowed to it. Only
 * departments with overflowed calls pay for these: the index of the second part is empty otherwise.
 * @param columns of `calls`
 */
export const callsInLine = (tenant: string, department: string, columns: string) =>
  inLine(tenant, department, columns, '');

/**
 * As callsInLine, with all columns of at least the first `limit` calls. Each part is read in the order of its index; PostgreSQL
 * would sort the whole line.
 */
export const firstCallsInLine = (tenant: string, department: string, limit: string) =>
  inLine(tenant, department, '*', ` ORDER BY ${QUEUE_ORDER_SQL} LIMIT ${limit}`);

/** As callsInLine, for an array of departments. A call that stands in two of the lines is one row. */
export const callsInLines = (tenant: string, departments: string, columns: string) => `(
  SELECT ${columns} FROM calls
  WHERE tenant_id = ${tenant} AND department_id = ANY (${departments}) AND status = 'queued'
  UNION ALL
  SELECT ${columns} FROM calls
  WHERE tenant_id = ${tenant} AND overflow_department_id = ANY (${departments}) AND ended_at IS NULL
    AND status = 'queued' AND department_id <> ALL (${departments}))`;
