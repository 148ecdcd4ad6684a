import { unwrap } from '../../shared/api/client';
import type { ConsoleState } from '../console-state';

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
  const all = isAttendant ? fromQueues(state) : await listAll(state);
  return all.filter(({ id }) => id !== current);
}

async function listAll(state: ConsoleState): Promise<TransferTarget[]> {
  const query = { page_size: 100 };
  const { data } = await unwrap(state.session.api.GET('/api/v1/departments', { params: { query } }));
  return data.filter(({ active }) => active).map(({ id, name }) => ({ id, name }));
}

function fromQueues(state: ConsoleState): TransferTarget[] {
  const names = new Map(
    state.queue.waiting.value.map(({ department_id, department_name }) => [department_id, department_name]),
  );
  return state.queue.queues.value.map(({ department_id: id }) => ({
    id,
    name: names.get(id) ?? id.slice(0, 8),
  }));
}
