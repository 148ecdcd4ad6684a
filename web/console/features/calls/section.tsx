import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  children: ReactNode;
  testId?: string;
}

/** A part of the page of a call. */
export function Section({ title, children, testId }: SectionProps) {
  return (
    <Paper withBorder p="md" component="section" data-testid={testId}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}
