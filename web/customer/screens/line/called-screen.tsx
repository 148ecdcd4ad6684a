import type { ComponentChildren } from 'preact';
import { useTexts } from '../../app/app-context';
import { Screen } from '../../ui/screen';

/** It is the customer's turn. @param agent null if the name is not known */
export function CalledScreen({ agent, children }: { agent: string | null; children?: ComponentChildren }) {
  const { called } = useTexts();
  return (
    <Screen
      name="called"
      icon="bell"
      title={called.title}
      lead={agent ? called.agent(agent) : called.someone}
    >
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
