import { Card, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  actions?: ReactNode;
  testId?: string;
  children: ReactNode;
}

/** One part of the reports. */
export function Section({ title, actions, testId, children }: SectionProps) {
  return (
    <Card component="section" withBorder padding="md" aria-label={title} data-testid={testId}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {title}
          </Title>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
