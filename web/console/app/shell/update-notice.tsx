import { Alert, Button, Group } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { useSignalValue } from '../../ui/use-signal-value';

/** Offers a reload after a new version was deployed. The page does not reload by itself: that would interrupt a call. */
export function UpdateNotice() {
  const { update, reload } = useCommonTexts();
  const isOld = useSignalValue(useConsole().isOld);
  if (!isOld) return null;
  return (
    <Alert role="status" data-testid="new-version">
      <Group justify="space-between">
        {update}
        <Button size="xs" onClick={() => location.reload()}>
          {reload}
        </Button>
      </Group>
    </Alert>
  );
}
