import { Button, Group, Stack } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { useCommonTexts } from '../../texts/texts';
import { CancelButton } from '../dialog/cancel-button';
import { Dialog } from '../dialog/dialog';
import { ProblemNotice } from '../problem-notice';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Of `useSave`. */
  save: { isBusy: boolean; error: unknown; isDirty: boolean; submit: ComponentProps<'form'>['onSubmit'] };
  /** By default "Save". */
  submitLabel?: string;
  size?: string;
  /** Whether something is still loaded that it needs. */
  isLoading?: boolean;
  children: ReactNode;
}

/** A form over the page. A click beside it does not close it, so that nothing typed is lost. */
export function FormDialog({
  title,
  isOpen,
  onClose,
  save,
  submitLabel,
  size,
  isLoading = false,
  children,
}: FormDialogProps) {
  const texts = useCommonTexts();
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={false}
      isDirty={save.isDirty}
    >
      <form onSubmit={save.submit} noValidate>
        <Stack>
          {children}
          <ProblemNotice error={save.error} />
          <Group justify="end">
            <CancelButton />
            <Button type="submit" loading={save.isBusy} disabled={isLoading} data-testid="save">
              {submitLabel ?? texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
