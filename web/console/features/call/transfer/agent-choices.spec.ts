import type { AgentItem } from '../../../../shared/socket';
import { agentChoices } from './agent-choices';

const agent = (name: string, state: AgentItem['state']): AgentItem => ({
  user_id: name,
  name,
  state,
  reason: null,
  since: null,
  idle_since: null,
  wrap_up_until: null,
  call_id: null,
});

describe('agentChoices', () => {
  it('has the colleagues who are there, those who are free first', () => {
    const agents = [
      agent('Dora', 'available'),
      agent('Ana', 'on_call'),
      agent('Bia', 'available'),
      agent('Eva', 'offline'),
      agent('Me', 'on_call'),
      agent('Caio', 'paused'),
    ];
    expect(agentChoices(agents, 'Me').map(({ name }) => name)).toEqual(['Bia', 'Dora', 'Ana', 'Caio']);
  });
});
