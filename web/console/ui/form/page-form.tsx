import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ComponentProps, ReactNode } from 'react';
import { useCommonTexts } from '../../texts/texts';
import { ProblemNotice } from '../problem-notice';

interface PageFormProps {
  /** Of `useSave`. */
  save: { isBusy: boolean; error: unknown; submit: ComponentProps<'form'>['onSubmit'] };
  /** By default "Save". */
  submitLabel?: string;
  /** Of its button. */
  'data-testid'?: string;
  children: ReactNode;
}

/** A form that is a page or a tab of its own. */
export function PageForm({ save, submitLabel, children, 'data-testid': testId = 'save' }: PageFormProps) {
  const texts = useCommonTexts();
  return (
    <form onSubmit={save.submit} noValidate>
      <Stack>
        {children}
        <ProblemNotice error={save.error} />
        <Group>
          <Button type="submit" loading={save.isBusy} data-testid={testId}>
            {submitLabel ?? texts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Shows for some seconds that something was saved, or another sentence about a success. */
export function notifySuccess(message: string): void {
  notifications.show({ color: 'green', message, role: 'status', withCloseButton: false });
}
