import { Alert, Button, Group } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';

/** Stands for a part of the page that could not be loaded. Most often another version was deployed, so a reload helps. */
export function MissingPart({ onClose }: { onClose?: () => void }) {
  const texts = useCommonTexts();
  return (
    <Alert
      color="yellow"
      role="alert"
      data-testid="missing-part"
      withCloseButton={onClose !== undefined}
      closeButtonLabel={texts.close}
      onClose={onClose}
    >
      <Group justify="space-between">
        {texts.broken.part}
        <Button size="xs" onClick={() => location.reload()}>
          {texts.reload}
        </Button>
      </Group>
    </Alert>
  );
}
