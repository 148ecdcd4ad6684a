import { unwrap } from '../../shared/api/client';
import type { ConsoleState } from '../console-state';

export interface TransferTarget {
  id: string;
  name: string;
}

/** The other departments: all for supervisors; for attendants their own ones whose names their queues tell. */
export async function listDepartments(
  state: ConsoleState,
  current: string | null,
): Promise<TransferTarget[]> {
  const all = await listAll(state).catch(() => fromQueues(state));
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
