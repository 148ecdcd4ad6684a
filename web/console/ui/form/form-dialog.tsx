import { Button, Group, Stack } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { useCommonTexts } from '../../texts/texts';
import { Dialog } from '../dialog/dialog';
import { ProblemNotice } from '../problem-notice';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Of `useSave`. */
  save: { isBusy: boolean; error: unknown; submit: ComponentProps<'form'>['onSubmit'] };
  /** By default "Save". */
  submitLabel?: string;
  size?: string;
  children: ReactNode;
}

/** A form over the page. A click beside it does not close it, so that nothing typed is lost. */
export function FormDialog({ title, isOpen, onClose, save, submitLabel, size, children }: FormDialogProps) {
  const texts = useCommonTexts();
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title} size={size} closeOnClickOutside={false}>
      <form onSubmit={save.submit} noValidate>
        <Stack>
          {children}
          <ProblemNotice error={save.error} />
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={save.isBusy} data-testid="save">
              {submitLabel ?? texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
