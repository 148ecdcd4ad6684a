import { Button, Card, Group, Text, Title } from '@mantine/core';
import { unwrap } from '../../../shared/api/client';
import { useApi, useConsole } from '../../state/console-context';
import { formatDuration } from '../../ui/duration';
import { useShortcut } from '../../ui/shortcuts/use-shortcut';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { queueTexts } from './texts/texts';
import { useServerNow } from '../../state/use-server-now';

const EXTENSIONS_MINUTES = [1, 5];
const SECONDS = 60;

/** The time after a call in which the agent gets no other one. */
export function WrapUp() {
  const texts = queueTexts.use();
  const api = useApi();
  const attempt = useAttempt();
  const { queue } = useConsole();
  const own = useSignalValue(queue.own);
  const isWrappingUp = own?.state === 'wrap_up';
  const finish = async () => {
    queue.updateAgent((await unwrap(api.POST('/api/v1/users/me/wrap-up/finish'))).data);
  };
  const extend = async (minutes: number) => {
    const body = { seconds: minutes * SECONDS };
    queue.updateAgent((await unwrap(api.POST('/api/v1/users/me/wrap-up/extend', { body }))).data);
  };
  useShortcut({
    keys: 'w',
    label: texts.wrapUp.finish,
    action: () => attempt(finish),
    isEnabled: isWrappingUp,
  });
  if (!isWrappingUp) return null;
  return (
    <Card withBorder component="section" aria-labelledby="wrap-up" data-testid="wrap-up">
      <Group justify="space-between">
        <div>
          <Group gap="sm">
            <Title order={2} size="h4" id="wrap-up">
              {texts.wrapUp.title}
            </Title>
            {own.wrap_up_until && <TimeLeft until={own.wrap_up_until} />}
          </Group>
          <Text size="sm" c="dimmed">
            {texts.wrapUp.text}
          </Text>
        </div>
        <Group gap="xs">
          {EXTENSIONS_MINUTES.map((minutes) => (
            <Button
              key={minutes}
              variant="default"
              data-testid={`wrap-up-extend-${minutes}`}
              onClick={() => attempt(() => extend(minutes))}
            >
              {texts.wrapUp.extend(minutes)}
            </Button>
          ))}
          <Button data-testid="wrap-up-finish" onClick={() => attempt(finish)}>
            {texts.wrapUp.finish}
          </Button>
        </Group>
      </Group>
    </Card>
  );
}

function TimeLeft({ until }: { until: string }) {
  const texts = queueTexts.use();
  const now = useServerNow();
  return (
    <Text role="timer" className="digits" fw={600}>
      {texts.wrapUp.left(formatDuration(Date.parse(until) - now))}
    </Text>
  );
}
