import { Button, Group, Stack, Text } from '@mantine/core';
import { useCommonTexts } from '../../texts/texts';
import { Dialog } from '../dialog/dialog';

const ABOVE_OFFERS = 400;

interface LeaveQuestionProps {
  onStay: () => void;
  onLeave: () => void;
}

/** Whether unsaved changes are to be lost. */
export default function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps) {
  const { unsaved: texts } = useCommonTexts();
  return (
    <Dialog opened onClose={onStay} title={texts.title} zIndex={ABOVE_OFFERS}>
      <Stack>
        <Text>{texts.text}</Text>
        <Group justify="end">
          <Button variant="default" onClick={onStay} data-autofocus data-testid="stay">
            {texts.stay}
          </Button>
          <Button color="red" onClick={onLeave} data-testid="leave">
            {texts.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
