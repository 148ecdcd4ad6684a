import type { Principal } from '../../platform/access/principal';
import type { Filter } from '../../platform/database/filter';
import type { Transaction } from '../../platform/database/transaction';
import { invalidField } from '../../platform/http/errors/api-error';

/** The member of staff who reads or changes records. */
export type Viewer = Pick<Principal, 'tenant_id' | 'user_id' | 'restricted'>;

/** The departments of a member of staff. In this and the following conditions, `?` is the id of the user. */
export const OWN_DEPARTMENTS = '(SELECT m.department_id FROM department_members m WHERE m.user_id = ?)';

/** Whether a link `l` is of the user's departments. One without a department `d` belongs to its agent or its creator. */
const VISIBLE_LINK = `(l.department_id IN ${OWN_DEPARTMENTS}
  OR (d.id IS NULL AND (l.created_by = ? OR l.reserved_user_id = ?)))`;

/** Whether an appointment `a` is of the user's departments. One without a department `d` belongs to its agent. */
const VISIBLE_APPOINTMENT = `(a.department_id IN ${OWN_DEPARTMENTS} OR (d.id IS NULL AND a.user_id = ?))`;

/** Whether the user may see a customer `c`: the view says whom. */
const VISIBLE_CUSTOMER = 'c.id IN (SELECT v.customer_id FROM customers_of_users v WHERE v.user_id = ?)';

/**
 * SQL conditions for the records that a restricted attendant may see. Each kind is under the alias that its lists use: links `l`
 * and appointments `a` with their departments `d`, and customers `c`. Calls are in `visibleCalls`.
 */
const CONDITIONS = { link: VISIBLE_LINK, appointment: VISIBLE_APPOINTMENT, customer: VISIBLE_CUSTOMER };

/** Limits the records of a list or a look-up to those that the viewer may see: records of other departments are unknown to them. */
export function onlyVisible(
  filter: Filter,
  kind: keyof typeof CONDITIONS,
  { restricted, user_id }: Pick<Viewer, 'restricted' | 'user_id'>,
): Filter {
  return restricted ? filter.and(CONDITIONS[kind], user_id) : filter;
}

/**
 * Checks what a link or an appointment of a restricted attendant refers to: what they may not see is unknown to them, and by a
 * reference to a customer they would see the customer.
 * @throws 422
 */
export async function ensureMayRefer(
  tx: Transaction,
  viewer: Viewer,
  { department_id, customer_id }: { department_id?: string | null; customer_id?: string | null },
): Promise<void> {
  if (!viewer.restricted) return;
  const department =
    department_id &&
    (await tx.one('SELECT FROM department_members WHERE department_id = $1 AND user_id = $2', [
      department_id,
      viewer.user_id,
    ]));
  if (department_id && !department)
    throw invalidField('department_id', 'names a department that does not exist');
  if (!customer_id) return;
  const customer = await tx.one(
    'SELECT FROM customers_of_users WHERE user_id = $1 AND customer_id = $2 LIMIT 1',
    [viewer.user_id, customer_id],
  );
  if (!customer) throw invalidField('customer_id', 'names a customer that does not exist');
}
