import { Alert, Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog/dialog';
import { webhookTexts } from './texts/texts';

/** The secret, which is shown this once: neither a click beside it nor Escape loses it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const texts = webhookTexts.use();
  const common = useCommonTexts();
  return (
    <Dialog opened onClose={onClose} title={texts.secret} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack>
        <Alert color="yellow">{texts.secretOnce}</Alert>
        <Code block data-testid="webhook-secret" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
          {secret}
        </Code>
        <Group justify="end">
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} data-autofocus>
                {copied ? common.copied : common.copy}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose} data-testid="secret-close">
            {texts.secretKept}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
