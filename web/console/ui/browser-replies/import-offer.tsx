import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { browserReplies } from './browser-replies';
import { useConsole, useHasRole } from '../../state/console-context';
import { Dialog } from '../dialog/dialog';
import { ProblemNotice } from '../problem-notice';
import { browserReplyTexts } from './texts/texts';
import { useBrowserReplies } from './use-browser-replies';
import { useImport } from './use-import';

/** Asks once whether the company gets the texts that its user has kept in this browser. */
export function ImportOffer() {
  const texts = browserReplyTexts.use();
  const { userId } = useConsole();
  const mayImport = useHasRole('supervisor');
  const { replies, wasOffered } = useBrowserReplies();
  const run = useImport();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isAsked = mayImport && replies.length > 0 && (!wasOffered || isBusy || error !== null);
  const close = () => {
    browserReplies.noteOffer(userId);
    setError(null);
  };
  const importAll = () => {
    setBusy(true);
    setError(null);
    run()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <Dialog opened={isAsked} onClose={close} title={texts.title}>
      <Stack>
        <Text>{texts.question(replies.length)}</Text>
        <ProblemNotice error={error} />
        <Group justify="end">
          <Button variant="default" onClick={close} data-testid="import-later">
            {texts.keep}
          </Button>
          <Button loading={isBusy} onClick={importAll} data-autofocus data-testid="import-replies">
            {texts.import}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
