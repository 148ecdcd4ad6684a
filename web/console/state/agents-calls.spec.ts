import type { AgentItem, CallItem } from '../../shared/socket';
import { withCall } from './agents-calls';

const agent = (user_id: string, call_id: string | null = null) => ({ user_id, call_id }) as AgentItem;
const call = (status: CallItem['status'], user_id: string | null) =>
  ({ id: 'c', status, user_id }) as CallItem;
const callsOf = (agents: AgentItem[]) => agents.map(({ call_id }) => call_id);

describe('withCall', () => {
  it.each([
    ['an agent gets it', [agent('a'), agent('b')], call('assigned', 'b'), [null, 'c']],
    ['another agent gets it', [agent('a', 'c'), agent('b')], call('active', 'b'), [null, 'c']],
    ['it ends', [agent('a', 'c'), agent('b', 'd')], call('completed', 'a'), [null, 'd']],
    ['it returns to the line', [agent('a', 'c')], call('queued', null), [null]],
  ])('%s', (_, agents, changed, expected) => {
    expect(callsOf(withCall(agents, changed))).toEqual(expected);
  });

  it('keeps the list when nothing changed', () => {
    const agents = [agent('a', 'c'), agent('b')];
    expect(withCall(agents, call('active', 'a'))).toBe(agents);
    expect(withCall(agents, call('queued', null))).not.toBe(agents);
  });
});
