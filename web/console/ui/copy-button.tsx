import { Button, CopyButton as MantineCopyButton, type ButtonProps } from '@mantine/core';
import { useCommonTexts } from '../texts/texts';

/** Copies a text, and says so. @param label by default "Copy" */
export function CopyButton({ value, label, ...button }: ButtonProps & { value: string; label?: string }) {
  const texts = useCommonTexts();
  return (
    <MantineCopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" {...button} onClick={copy} data-testid="copy">
          <span aria-live="polite">{copied ? texts.copied : (label ?? texts.copy)}</span>
        </Button>
      )}
    </MantineCopyButton>
  );
}
