import type { WaitingCall } from '../../../shared/socket';
import { lineAlerts, longestWait } from './alerts.rules';

const NOW = 1_000_000;
const queue = (size: number, longest_wait: number, callback: object | null = null) => ({
  size,
  longest_wait,
  received_at: NOW - 10_000,
  calls: [{ callback }] as WaitingCall[],
});
const away = queue(1, 0, { status: 'requested' });
const wanted = { alert_longest_wait: null, alert_nobody_available: true };
const limited = { ...wanted, alert_longest_wait: 300 };
const calm = { members: ['available'], target: 60, wanted, now: NOW } as const;

describe('lineAlerts', () => {
  it.each<[string, Partial<Parameters<typeof lineAlerts>[0]>, string[]]>([
    ['an empty line', { queue: queue(0, 0), members: ['offline'] }, []],
    ['a short wait', { queue: queue(2, 50) }, []],
    ['a wait beyond the target', { queue: queue(2, 51) }, ['over_target']],
    ['an unknown target', { queue: queue(2, 500), target: null }, []],
    ['agents who are busy', { queue: queue(1, 0), members: ['on_call', 'paused'] }, []],
    ['agents who are all away', { queue: queue(1, 0), members: ['offline', 'paused'] }, ['nobody_available']],
    ['a customer who is away', { queue: away, members: ['offline'] }, []],
    [
      'agents who are all away, of which the company wants no alert',
      { members: ['offline'], wanted: { ...wanted, alert_nobody_available: false } },
      [],
    ],
    ['no agents', { queue: queue(1, 0), members: [] }, ['nobody_available']],
    ['members who are not known yet', { queue: queue(1, 0), members: null }, []],
    ['a wait beyond the limit', { queue: queue(1, 291), wanted: limited }, ['longest_wait']],
    ['a wait within the limit', { queue: queue(1, 290), wanted: limited, target: null }, []],
  ])('%s', (_, facts, alerts) => {
    expect(lineAlerts({ ...calm, queue: queue(1, 0), ...facts })).toEqual(alerts);
  });
});

it('the longest wait goes on after the news, unless all customers are away', () => {
  expect(longestWait(queue(1, 30), NOW)).toBe(40_000);
  expect(longestWait(queue(1, 0), NOW)).toBe(10_000);
  expect(longestWait(away, NOW)).toBeNull();
  expect(longestWait(queue(0, 0), NOW)).toBeNull();
});
