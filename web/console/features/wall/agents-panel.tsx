import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useConsole } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { useSignalValue } from '../../ui/use-signal-value';
import { AgentList } from './agent-list';
import { agentsFor, type AgentState, countStates, STATES } from './agents.rules';
import { HandOver } from './hand-over';
import { wallTexts } from './texts/texts';

/** The agents by state, and what a supervisor may change of them. */
export function AgentsPanel() {
  const { agents: texts } = wallTexts.use();
  const { agentState } = useCommonTexts();
  const agents = useSignalValue(useConsole().queue.agents);
  const [state, setState] = useState<AgentState | ''>('');
  const [search, setSearch] = useState('');
  const [callId, setCallId] = useState<string | null>(null);
  const counts = useMemo(() => countStates(agents), [agents]);
  const shown = useMemo(() => agentsFor(agents, state, search), [agents, state, search]);
  const close = useCallback(() => setCallId(null), []);
  const choices: ['' | AgentState, string, number][] = [
    ['', texts.all, agents.length],
    ...STATES.map((one): [AgentState, string, number] => [one, agentState[one], counts[one]]),
  ];
  return (
    <Stack gap="sm" component="section" aria-label={texts.title}>
      <Title order={2} size="h3">
        {texts.title}
      </Title>
      <Group gap="xs" align="end">
        {choices.map(([value, label, count]) => (
          <Button
            key={value}
            variant={value === state ? 'filled' : 'default'}
            aria-pressed={value === state}
            onClick={() => setState(value)}
          >
            {label} <strong style={{ marginInlineStart: '0.5ch' }}>{count}</strong>
          </Button>
        ))}
        <TextInput
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </Group>
      {shown.length === 0 ? <Text>{texts.none}</Text> : <AgentList agents={shown} onHandOver={setCallId} />}
      {callId && <HandOver callId={callId} onClose={close} />}
    </Stack>
  );
}
