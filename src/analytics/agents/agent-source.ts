import type { ReportParameters } from '../report-parameters-reader';

/** Adds a value to a statement. @returns its placeholder, e.g. `$3` */
export type Bind = (value: unknown) => string;

/** The condition that a row belongs to the tenant, and, if the report is limited to one, to the department. */
export function inScope({ scope }: ReportParameters, bind: Bind): string {
  const department = scope.department_id ? ` AND department_id = ${bind(scope.department_id)}` : '';
  return `tenant_id = ${bind(scope.tenant_id)}${department}`;
}

/** The condition that a time lies in the period. */
export const inPeriod = (time: string, { period }: ReportParameters, bind: Bind): string =>
  `${time} >= ${bind(period.from)} AND ${time} < ${bind(period.until)}`;

/**
 * Selects the sums of the columns of a view with a row for each agent and day.
 * @param condition for the rows, besides the days
 */
export function sumsOfDays(
  view: string,
  columns: readonly string[],
  { period }: ReportParameters,
  condition: string,
  bind: Bind,
): string {
  const sums = columns.map((column) => `sum(${column})::float8 AS ${column}`).join(', ');
  return `SELECT user_id, ${sums} FROM ${view}
    WHERE ${condition} AND day >= ${bind(period.first_day)} AND day <= ${bind(period.last_day)} GROUP BY user_id`;
}

/** The columns in a SELECT list, with 0 instead of null for an agent who has no row. */
export const orZero = (alias: string, columns: readonly string[]): string =>
  columns.map((column) => `COALESCE(${alias}.${column}, 0)::float8 AS ${column}`).join(', ');
