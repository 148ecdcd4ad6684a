import { droppedBy } from './dropped-by.rules';
import type { TimelineEntry } from './timeline.types';

const entries = (...steps: string[]): TimelineEntry[] =>
  steps.map((step) => {
    const [type = '', participant] = step.split(' ');
    return { at: '', type, user_id: null, user_name: null, participant };
  });

describe('droppedBy', () => {
  it.each<[string[], string[]]>([
    [['started', 'completed'], []],
    [['started', 'peer_disconnected customer', 'completed'], ['customer']],
    [['started', 'peer_disconnected customer', 'peer_reconnected customer', 'completed'], []],
    [
      ['started', 'peer_disconnected agent', 'peer_disconnected customer'],
      ['agent', 'customer'],
    ],
    [['peer_disconnected agent', 'transferred', 'started', 'completed'], []],
  ])('%j: %j', (steps, expected) => {
    expect(droppedBy(entries(...steps))).toEqual(expected);
  });
});
