import type { WaitingPosition } from '../calls/queue/queue';
import { Clock } from '../platform/clock/clock';
import { QueuePositionSender } from './queue-position-sender';
import type { LiveSocket } from './socket.types';

const position = (changes: Partial<WaitingPosition>): WaitingPosition => ({
  call_id: '7f8c5a0e-3f2b-4a51-9d0a-0f6f3c1f2b11',
  position: 2,
  estimated_wait_time: 360,
  estimated_wait_range: null,
  queue_size: 3,
  version: 1,
  ...changes,
});

describe('QueuePositionSender', () => {
  const range = { low: 120, high: 360 };

  it.each<[string, Partial<WaitingPosition>, Partial<WaitingPosition>, boolean]>([
    ['nothing that has not changed', { estimated_wait_range: range }, { estimated_wait_range: range }, false],
    ['another position', {}, { position: 1 }, true],
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
    const socket = { data: {}, connected: false } as unknown as LiveSocket;
    const sender = new QueuePositionSender(new Clock());
    expect(sender.send(socket, position(before), true)).toBe(true);
    expect(sender.send(socket, position({ ...before, estimated_wait_range: null, ...after }), true)).toBe(
      isSent,
    );
  });
});
