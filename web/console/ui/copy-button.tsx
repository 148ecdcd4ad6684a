import { Button, CopyButton as MantineCopyButton } from '@mantine/core';
import { useCommonTexts } from '../texts/texts';

/** Copies a text, and says so. */
export function CopyButton({ value }: { value: string }) {
  const texts = useCommonTexts();
  return (
    <MantineCopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy} data-testid="copy">
          <span aria-live="polite">{copied ? texts.copied : texts.copy}</span>
        </Button>
      )}
    </MantineCopyButton>
  );
}
