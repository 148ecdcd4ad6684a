import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { CopyText } from '../../../ui/copy-text';
import { accountTexts } from '../texts/texts';

/** The codes that replace the app once each. The service tells them only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const texts = accountTexts.use().twoStep;
  const text = codes.join('\n');
  const download = () => {
    const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
    Object.assign(document.createElement('a'), { href: url, download: 'recovery-codes.txt' }).click();
    URL.revokeObjectURL(url);
  };
  return (
    <Alert color="green" role="status" title={texts.codesTitle}>
      <Stack gap="sm">
        <Text>{texts.codesText}</Text>
        <Text ff="monospace" style={{ whiteSpace: 'pre-line' }} data-testid="recovery-codes">
          {text}
        </Text>
        <Group gap="xs">
          <CopyText text={text} />
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
