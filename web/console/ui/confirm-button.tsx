import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useCommonTexts } from '../texts/texts';
import { Dialog } from './dialog/dialog';
import { ProblemNotice } from './problem-notice';

interface ConfirmButtonProps extends ButtonProps {
  /** What the button does, also the title of the question. */
  label: string;
  /** What will happen, and whether it can be undone. */
  question: ReactNode;
  /** Closes the question when it has succeeded. */
  action: () => Promise<unknown>;
  'data-testid'?: string;
}

/** A button for what cannot be taken back: asks before. */
export function ConfirmButton({ label, question, action, ...button }: ConfirmButtonProps) {
  const texts = useCommonTexts();
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = () => {
    setOpen(false);
    setError(null);
  };
  const run = () => {
    setBusy(true);
    action()
      .then(close, setError)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button variant="default" {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={label}>
        <Stack>
          {typeof question === 'string' ? <Text>{question}</Text> : question}
          <ProblemNotice error={error} />
          <Group justify="end">
            <Button variant="default" onClick={close} data-autofocus>
              {texts.cancel}
            </Button>
            <Button color="red" loading={isBusy} onClick={run} data-testid="confirm">
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
