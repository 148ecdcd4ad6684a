import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { queueTexts } from '../texts/texts';

const permission = () => ('Notification' in globalThis ? Notification.permission : 'denied');

/** Asks the browser whether the console may notify of calls; shown until it was asked. */
export function NotifyButton() {
  const { notify } = queueTexts.use();
  const [current, setCurrent] = useState(permission);
  if (current !== 'default') return null;
  const ask = async () => {
    const answer = await Notification.requestPermission();
    setCurrent(answer);
    if (answer === 'granted') notifications.show({ color: 'green', message: notify.allowed });
    if (answer === 'denied') notifications.show({ message: notify.refused });
  };
  return (
    <Button variant="default" size="xs" data-testid="notify" onClick={() => void ask()}>
      {notify.ask}
    </Button>
  );
}
