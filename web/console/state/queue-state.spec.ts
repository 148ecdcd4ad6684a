import type { DepartmentQueue, StaffSocket } from '../../shared/socket';
import { QueueState } from './queue-state';

const queueOf = (department_id: string): DepartmentQueue => ({
  department_id,
  department_name: department_id,
  size: 0,
  longest_wait: 0,
  calls: null,
});

/** A state whose socket receives what a test says, and records what is sent. */
function stateWithSocket(refuses = false) {
  const listeners = new Map<string, (message: unknown) => void>();
  const watched: string[] = [];
  const socket = {
    on: (event: string, listener: (message: unknown) => void) => listeners.set(event, listener),
    emit: async (event: string, { department_id }: { department_id: string }) => {
      expect(event).toBe('watch_department');
      watched.push(department_id);
      if (refuses) throw new Error('There is no connection');
    },
  };
  const state = new QueueState(socket as unknown as StaffSocket, 'user');
  const receive = (event: string, message: unknown = {}) => listeners.get(event)?.(message);
  const snapshot = (...ids: string[]) =>
    receive('snapshot', { at: new Date().toISOString(), agents: [], offers: [], queues: ids.map(queueOf) });
  return { state, watched, receive, snapshot };
}

describe('the rows of a queue', () => {
  it('are asked for once per connection and department', () => {
    const { watched, receive, snapshot } = stateWithSocket();
    receive('connect');
    snapshot('sales', 'support');
    snapshot('sales', 'support');
    receive('queue_updated', queueOf('sales'));
    expect(watched).toEqual(['sales', 'support']);
    receive('connect');
    snapshot('sales');
    expect(watched).toEqual(['sales', 'support', 'sales']);
  });

  it('are asked for when a department is first seen in an update', () => {
    const { state, watched, receive, snapshot } = stateWithSocket();
    receive('connect');
    snapshot('sales');
    receive('queue_updated', queueOf('billing'));
    receive('queue_updated', queueOf('billing'));
    expect(watched).toEqual(['sales', 'billing']);
    expect(state.queues.value.map(({ department_id }) => department_id)).toEqual(['billing', 'sales']);
  });

  it('are asked for again when a lost department is back', () => {
    const { watched, receive, snapshot } = stateWithSocket();
    receive('connect');
    snapshot('sales');
    snapshot();
    snapshot('sales');
    expect(watched).toEqual(['sales', 'sales']);
  });

  it('are asked for again after a failure', async () => {
    const { watched, receive, snapshot } = stateWithSocket(true);
    receive('connect');
    snapshot('sales');
    await Promise.resolve();
    await Promise.resolve();
    snapshot('sales');
    expect(watched).toEqual(['sales', 'sales']);
  });

  it('lose a call as soon as somebody has taken it', () => {
    const { state, receive } = stateWithSocket();
    const calls = ['first', 'second'].map((id) => ({ id, status: 'queued' }));
    receive('connect');
    receive('queue_updated', { ...queueOf('sales'), size: 2, calls });
    receive('call_updated', calls[0]);
    receive('call_assigned', { id: 'first', status: 'assigned', user_id: 'other' });
    receive('call_ended', { id: 'elsewhere', status: 'completed' });
    expect(state.waiting.value).toEqual([calls[1]]);
    receive('queue_updated', { ...queueOf('sales'), size: 2, calls });
    expect(state.waiting.value).toEqual(calls);
  });
});
