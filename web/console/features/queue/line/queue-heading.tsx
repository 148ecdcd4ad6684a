import { Badge, Group, Text, Title } from '@mantine/core';
import { formatDuration } from '../../../ui/duration';
import { useNow } from '../../../ui/now';
import { queueTexts } from '../texts/texts';
import type { QueueGroup } from './queue.rules';

export function QueueHeading({ group }: { group: QueueGroup }) {
  const texts = queueTexts.use();
  const now = useNow();
  return (
    <Group gap="sm" pt="sm" pb="xs" data-testid="queue-group">
      <Title order={2} size="h4">
        {group.name}
      </Title>
      <Badge variant="default" tt="none">
        {texts.size(group.size)}
      </Badge>
      {group.longestSince !== null && (
        <Text size="sm" c="dimmed">
          {texts.longest(formatDuration(now - group.longestSince))}
        </Text>
      )}
    </Group>
  );
}
