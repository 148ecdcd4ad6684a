import { chooseCall } from './choose-call.rules';

const assigned = { id: 'a', status: 'assigned' as const };
const active = { id: 'b', status: 'active' as const };
const other = { id: 'c', status: 'active' as const };

describe('chooseCall', () => {
  it.each([
    ['nothing without a call', [], null, null, null],
    ['the only call', [assigned], null, null, 'a'],
    ['a call in progress before one that is assigned', [assigned, active], null, null, 'b'],
    ['the present call although another one is assigned', [assigned, active], 'b', null, 'b'],
    ['the present call although another one is older', [active, other], 'c', null, 'c'],
    ['the next one after the present call has ended', [assigned], 'b', null, 'a'],
    ['the one that the agent has asked for', [active, other], 'b', 'c', 'c'],
    ['the present one until the one that was asked for is theirs', [active], 'b', 'c', 'b'],
  ])('is %s', (_, calls, present, wanted, chosen) => {
    expect(chooseCall(calls, present, wanted)?.id ?? null).toBe(chosen);
  });
});
