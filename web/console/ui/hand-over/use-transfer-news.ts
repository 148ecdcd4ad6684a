import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useConsole } from '../../state/console-context';
import { handOverTexts } from './texts/texts';

/** Tells how a transfer to an agent ended that the user has asked for. */
export function useTransferNews(): void {
  const texts = handOverTexts.use();
  const { socket, queue } = useConsole();
  useEffect(
    () =>
      socket.on('transfer_ended', ({ user_id, status }) => {
        const name = queue.agents.peek().find((agent) => agent.user_id === user_id)?.name ?? texts.agent;
        const told = texts.ended[status];
        if (told)
          notifications.show({ message: told(name), color: status === 'accepted' ? 'green' : 'yellow' });
      }),
    [socket, queue, texts],
  );
}
