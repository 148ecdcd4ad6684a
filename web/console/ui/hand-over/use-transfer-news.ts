import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useConsole } from '../../state/console-context';
import { handOverTexts } from './texts/texts';

/** Shows why an agent has not taken a call that the user handed over. */
export function useTransferNews(): void {
  const texts = handOverTexts.use();
  const { socket, queue } = useConsole();
  useEffect(
    () =>
      socket.on('transfer_ended', ({ user_id, status }) => {
        const name = queue.agents.peek().find((agent) => agent.user_id === user_id)?.name ?? texts.agent;
        const sentence = texts.ended[status];
        if (sentence) notifications.show({ message: sentence(name), color: 'yellow' });
      }),
    [socket, queue, texts],
  );
}
