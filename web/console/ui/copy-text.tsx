import { Button, CopyButton, type ButtonProps } from '@mantine/core';
import { useCommonTexts } from '../texts/texts';

/** A button that copies a text, and says so. */
export function CopyText({ text, label, ...button }: ButtonProps & { text: string; label?: string }) {
  const texts = useCommonTexts();
  return (
    <CopyButton value={text} timeout={3000}>
      {({ copied, copy }) => (
        <Button variant="default" size="xs" {...button} onClick={copy} aria-live="polite">
          {copied ? texts.copied : (label ?? texts.copy)}
        </Button>
      )}
    </CopyButton>
  );
}
