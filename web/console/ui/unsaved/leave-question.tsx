import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useCommonTexts } from '../../texts/texts';
import { Dialog } from '../dialog/dialog';
import { useSignalValue } from '../use-signal-value';
import { leaving, unsavedForms } from './unsaved-forms';

/** Asks before unsaved changes are lost: by another page, by the close of a dialog or, through the browser, of the tab. */
export function LeaveQuestion() {
  const { unsaved: texts } = useCommonTexts();
  const asked = useSignalValue(leaving);
  const blocker = useBlocker({
    // Filters and tabs are in the address, too; forms survive their change.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && unsavedForms.exist(),
    enableBeforeUnload: unsavedForms.exist,
    withResolver: true,
  });
  const isBlocked = blocker.status === 'blocked';
  if (!asked && !isBlocked) return null;
  const stay = () => {
    leaving.value = null;
    blocker.reset?.();
  };
  const go = () => {
    leaving.value = null;
    asked?.leave();
    blocker.proceed?.();
  };
  return (
    <Dialog opened onClose={stay} title={texts.title}>
      <Stack>
        <Text>{texts.text}</Text>
        <Group justify="end">
          <Button variant="default" onClick={stay} data-autofocus data-testid="stay">
            {texts.stay}
          </Button>
          <Button color="red" onClick={go} data-testid="leave">
            {texts.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
