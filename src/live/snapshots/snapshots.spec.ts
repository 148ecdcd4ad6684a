import { isSameState, isStateOf, type StaffSnapshot } from './snapshots';

const staff = (longest_wait: number, size = 1): StaffSnapshot => ({
  presence: 'online',
  has_chosen_state: true,
  pause_reasons: [],
  agents: [],
  offers: [],
  active_calls: [],
  queues: [
    {
      department_id: '0b9a3d38-0a0d-4f83-8e0c-6a1f2d3b4c5d',
      department_name: 'Suporte',
      size,
      longest_wait,
      open: true,
      opens_at: null,
      closes_at: null,
      calls: [],
    },
  ],
});

const customer = (position: number) => ({
  call_id: '7f8c5a0e-3f2b-4a51-9d0a-0f6f3c1f2b11',
  status: 'queued' as const,
  end_reason: null,
  department_name: 'Suporte',
  callback_enabled: false,
  position,
  estimated_wait_time: 180,
  estimated_wait_range: null,
  has_estimate: false,
  ringing: false,
  agent: null,
  started_at: null,
  disconnected_at: null,
  grace_deadline: null,
  callback: null,
  callback_email: null,
  holder_session: null,
  chat_message_count: 0,
  chat_messages: [],
  recording_state: { recording: 'off' as const, consent: null },
  version: 1,
});

const place = (chat_message_count: number) => ({ ...customer(1), queue_size: 1, chat_message_count });

describe('isSameState', () => {
  it.each([
    ['ignores waiting times', staff(1), staff(2), true],
    ['compares the queues of staff', staff(1, 1), staff(1, 2), false],
    ['compares the presence of staff', staff(1), { ...staff(1), presence: 'away' as const }, false],
    ['is true for equal snapshots of a customer', customer(1), customer(1), true],
    ['compares all fields of a customer', customer(1), customer(2), false],
  ])('%s', (_title, one, other, expected) => expect(isSameState(one, other)).toBe(expected));
});

describe('isStateOf', () => {
  it.each([
    ['is true for a position of the same state', customer(1), place(0), true],
    ['compares the position', customer(2), place(0), false],
    ['compares the number of messages, which do not change the version', customer(1), place(1), false],
    ['is false for staff', staff(1), place(0), false],
  ])('%s', (_title, snapshot, current, expected) => expect(isStateOf(snapshot, current)).toBe(expected));
});
