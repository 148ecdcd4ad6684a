import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../../ui/copy-button';
import { saveFile } from '../../../ui/save-file';
import { accountTexts } from '../texts/texts';

/** The codes that replace the app once each. The service tells them only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const texts = accountTexts.use().twoStep;
  const text = codes.join('\n');
  const download = () => saveFile('recovery-codes.txt', new Blob([`${text}\n`], { type: 'text/plain' }));
  return (
    <Alert color="green" role="status" title={texts.codesTitle}>
      <Stack gap="sm">
        <Text>{texts.codesText}</Text>
        <Text ff="monospace" style={{ whiteSpace: 'pre-line' }} data-testid="recovery-codes">
          {text}
        </Text>
        <Group gap="xs">
          <CopyButton size="xs" value={text} />
          <Button variant="default" size="xs" onClick={download}>
            {texts.download}
          </Button>
          <Button size="xs" onClick={onDone} data-testid="codes-kept">
            {texts.kept}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
