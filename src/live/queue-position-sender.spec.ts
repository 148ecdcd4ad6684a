import { fake, type Part } from '../../test/support/fake';
import { spokenRange } from '../calls/queue/estimates/wait-range.rules';
import type { WaitingPosition } from '../calls/queue/queue';
import { Clock } from '../platform/clock/clock';
import { QueuePositionSender } from './queue-position-sender';
import type { LiveSocket } from './socket.types';

const socketOf = (data: Part<LiveSocket['data']>) => fake<LiveSocket>({ data, emit: () => true });

const position = (changes: Partial<WaitingPosition>): WaitingPosition => ({
  call_id: '7f8c5a0e-3f2b-4a51-9d0a-0f6f3c1f2b11',
  position: 2,
  estimated_wait_time: 360,
  estimated_wait_range: null,
  queue_size: 3,
  has_estimate: true,
  ringing: false,
  version: 1,
  ...changes,
});

describe('QueuePositionSender', () => {
  const range = { low: 120, high: 360 };

  it.each<[string, Partial<WaitingPosition>, Partial<WaitingPosition>, boolean]>([
    ['nothing that has not changed', { estimated_wait_range: range }, { estimated_wait_range: range }, false],
    ['another position', {}, { position: 1 }, true],
    ['that an agent is being called', {}, { ringing: true }, true],
    ['that no agent is being called any more', { ringing: true }, { ringing: false }, true],
    ['that an agent is reachable', { has_estimate: false }, { has_estimate: true }, true],
    ['that no agent is reachable any more', {}, { has_estimate: false }, true],
    ['another estimate', {}, { estimated_wait_time: 300 }, true],
    ['the first range', {}, { estimated_wait_range: range }, true],
    [
      'another range',
      { estimated_wait_range: range },
      { estimated_wait_range: { low: 60, high: 360 } },
      true,
    ],
    ['that there is no range any more', { estimated_wait_range: range }, {}, true],
  ])('sends %s', (_title, before, after, isSent) => {
    const socket = socketOf({});
    const sender = new QueuePositionSender(new Clock());
    expect(sender.send(socket, position(before), true)).toBe(true);
    expect(sender.send(socket, position({ ...before, estimated_wait_range: null, ...after }), true)).toBe(
      isSent,
    );
  });

  it.each<[string, number, boolean]>([
    ['nothing whose reading began before that of the newest position', 999, false],
    ['what was read with it', 1000, true],
    ['what was read after it', 1001, true],
  ])('sends %s', (_title, readMs, isSent) => {
    const data = { positionReadMs: 1000 };
    const sender = new QueuePositionSender(new Clock());
    const socket = socketOf(data);
    expect(sender.send(socket, position({}), true, undefined, readMs)).toBe(isSent);
  });

  it('sends what only the time has changed once for each step that one would say', () => {
    const socket = socketOf({});
    const sender = new QueuePositionSender(new Clock());
    // The wait of the call ends at a deadline, which caps its estimate. Agents become busy and free again every 2 s.
    const sent = Array.from({ length: 31 }, (_, n) => {
      const estimated_wait_time = 200 - 2 * n;
      const estimate = {
        estimated_wait_time,
        estimated_wait_range: spokenRange({ low: 100, high: 200 - 2 * n }),
      };
      return sender.send(socket, position(estimate), true, new Date(2000 * n).toISOString());
    });
    // At 200 s, at 180 s (3 minutes), and none of the others.
    expect(sent.filter(Boolean)).toHaveLength(2);
  });

  it('sends an estimate that has changed by more than the time', () => {
    const socket = socketOf({});
    const sender = new QueuePositionSender(new Clock());
    const send = (estimated_wait_time: number, seconds: number) =>
      sender.send(socket, position({ estimated_wait_time }), true, new Date(seconds * 1000).toISOString());
    expect([send(360, 0), send(358, 2), send(350, 4), send(350, 10)]).toEqual([true, false, true, false]);
  });
});
