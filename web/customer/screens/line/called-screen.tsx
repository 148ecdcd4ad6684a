import type { ComponentChildren } from 'preact';
import { useTexts } from '../../app/app-context';
import type { CallFacts } from '../../state/state.types';
import { Screen } from '../../ui/screen';

interface CalledScreenProps {
  call: Pick<CallFacts, 'agent' | 'agentPhoto'>;
  children?: ComponentChildren;
}

/** It is the customer's turn. The name of the agent may not be known yet. */
export function CalledScreen({ call: { agent, agentPhoto }, children }: CalledScreenProps) {
  const { called } = useTexts();
  return (
    <Screen
      name="called"
      icon="bell"
      title={called.title}
      lead={agent ? called.agent(agent) : called.someone}
    >
      {agentPhoto && <img class="agent-photo" src={agentPhoto} alt="" />}
      <p class="pulse" aria-hidden="true">
        <span />
        <span />
        <span />
      </p>
      <p>{called.text}</p>
      {children}
    </Screen>
  );
}
