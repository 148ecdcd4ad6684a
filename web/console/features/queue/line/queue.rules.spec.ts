import type { WaitingCall } from '../../../../shared/socket';
import type { ReceivedQueue } from '../../../state/queue-state';
import { entriesOf, groupsOf, hasManyFromAddress, isCalledBack } from './queue.rules';

const call = (id: string, department = 'd1'): WaitingCall =>
  ({ id, department_id: department, department_name: `Name of ${department}` }) as WaitingCall;

const queue = (id: string, changes: Partial<ReceivedQueue> = {}): ReceivedQueue => ({
  department_id: id,
  department_name: id.toUpperCase(),
  size: 1,
  longest_wait: 74,
  calls: [call('c1', id)],
  received_at: 100_000,
  ...changes,
});

describe('groupsOf', () => {
  it('has the departments where somebody waits, by name', () => {
    const groups = groupsOf(
      [queue('b'), queue('c', { department_name: 'A' }), queue('d', { size: 0, calls: [] })],
      '?',
    );
    expect(groups.map(({ name }) => name)).toEqual(['A', 'B']);
  });

  it.each([
    ['its own name', queue('d1'), 'D1'],
    ['that of a call', queue('d1', { department_name: undefined }), 'Name of d1'],
    [
      'none of a call of another department',
      queue('d1', { department_name: undefined, calls: [call('c', 'd2')] }),
      '?',
    ],
    ['none without calls', queue('d1', { department_name: undefined, calls: null }), '?'],
  ])('names a department by %s', (_, named, expected) => {
    expect(groupsOf([named], '?')[0]?.name).toBe(expected);
  });

  it.each([
    [74, 26_000],
    [0, null],
  ])('a longest wait of %p s began at %p', (longest_wait, expected) => {
    expect(groupsOf([queue('d1', { longest_wait })], '?')[0]?.longestSince).toBe(expected);
  });
});

describe('entriesOf', () => {
  it('has one heading per department, and says how many calls are not shown', () => {
    const groups = groupsOf([queue('a'), queue('b', { size: 3 })], '?');
    expect(entriesOf(groups).map(({ kind, key }) => [kind, key])).toEqual([
      ['heading', 'a'],
      ['call', 'a c1'],
      ['heading', 'b'],
      ['call', 'b c1'],
      ['hidden', 'b hidden'],
    ]);
    expect(entriesOf(groups).at(-1)).toMatchObject({ count: 2 });
  });
});

describe('isCalledBack', () => {
  it.each([
    [null, false],
    ['requested', true],
    ['invited', true],
    ['returned', false],
    ['expired', false],
    ['cancelled', false],
  ] as const)('%p: %p', (status, expected) => {
    expect(isCalledBack({ callback: status && { status, invited_until: null } })).toBe(expected);
  });
});

describe('hasManyFromAddress', () => {
  it.each([
    [2, 2, false],
    [3, 5, true],
    [3, 6, false],
  ])('%p of %p: %p', (count, size, expected) => {
    expect(hasManyFromAddress(count, size)).toBe(expected);
  });
});
