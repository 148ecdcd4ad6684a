import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface FormGroupProps {
  title: string;
  /** What the fields below are about. */
  text?: string;
  children: ReactNode;
}

/** Fields that belong together, below a heading. */
export function FormGroup({ title, text, children }: FormGroupProps) {
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          {text && (
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}
