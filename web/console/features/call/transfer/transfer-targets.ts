import { unwrap } from '../../../../shared/api/client';
import type { ConsoleState } from '../../../state/console-state';
import { fetchAll } from '../../../state/fetch-all';
import type { Department } from '../../../state/use-departments';

export interface TransferTarget {
  id: string;
  name: string;
}

/** The other departments: all for supervisors; for attendants, who cannot list them, their own. */
export async function listDepartments(
  state: ConsoleState,
  current: string | null,
): Promise<TransferTarget[]> {
  const isAttendant = state.session.user.value?.role === 'attendant';
  const all = isAttendant ? await listOwn(state) : await listAll(state);
  return all.filter(({ id }) => id !== current);
}

async function listAll(state: ConsoleState): Promise<TransferTarget[]> {
  const { api } = state.session;
  const departments = await fetchAll<Department>((query) =>
    unwrap(api.GET('/api/v1/departments', { params: { query } })),
  );
  return departments.filter(({ active }) => active).map(({ id, name }) => ({ id, name }));
}

/** A department whose name neither the service nor a call tells is left out. */
async function listOwn(state: ConsoleState): Promise<TransferTarget[]> {
  const named = await Promise.all(
    state.queue.queues.value.map(async (queue) => ({
      id: queue.department_id,
      name: queue.department_name ?? (await nameOf(state, queue.department_id)),
    })),
  );
  return named.filter((department): department is TransferTarget => department.name !== undefined);
}

async function nameOf(state: ConsoleState, departmentId: string): Promise<string | undefined> {
  const query = { department_id: departmentId, page_size: 1 };
  const calls = unwrap(state.session.api.GET('/api/v1/calls', { params: { query } }));
  return calls.then(
    ({ data }) => data[0]?.department_name,
    () => undefined,
  );
}
