import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useConsole } from '../../../state/console-context';
import { useSignalValue } from '../../../ui/use-signal-value';
import { queueTexts } from '../texts/texts';

/** Says where a call has gone that the agent had until now: a colleague has accepted it, or a supervisor has moved it. */
export function useLostCallNews(): void {
  const { lost: texts } = queueTexts.use();
  const { lostCall } = useConsole();
  const call = useSignalValue(lostCall);
  useEffect(() => {
    if (!call) return;
    const { customer_name, user_name, department_name } = call;
    const message = user_name
      ? texts.toAgent(customer_name, user_name)
      : texts.toLine(customer_name, department_name);
    notifications.show({ message });
    lostCall.value = null;
  }, [call, lostCall, texts]);
}
