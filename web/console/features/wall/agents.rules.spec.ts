import type { AgentItem } from '../../../shared/socket';
import { agentsFor, countStates } from './agents.rules';

const agent = (name: string, state: AgentItem['state'], since: string | null = null) =>
  ({ name, state, since }) as AgentItem;
const [ana, ben, cleo, dora] = [
  agent('Ana', 'paused', '2026-01-31T10:00:00Z'),
  agent('Ben', 'available', '2026-01-31T11:00:00Z'),
  agent('Cleo', 'available', '2026-01-31T09:00:00Z'),
  agent('Dora', 'offline'),
];
const agents = [ana, ben, cleo, dora];

it('counts the agents by state', () => {
  expect(countStates(agents)).toEqual({
    available: 2,
    offered: 0,
    on_call: 0,
    wrap_up: 0,
    paused: 1,
    offline: 1,
  });
});

it.each<[string, AgentItem['state'] | '', string, AgentItem[]]>([
  ['all, by state and time', '', '', [cleo, ben, ana, dora]],
  ['those of a state', 'available', '', [cleo, ben]],
  ['those of a name', '', ' AN', [ana]],
  ['nobody', 'offline', 'ana', []],
])('shows %s', (_, state, search, expected) => {
  expect(agentsFor(agents, state, search)).toEqual(expected);
});
