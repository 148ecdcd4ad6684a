import { Button, Group, Stack, Text } from '@mantine/core';
import { Dialog } from '../../ui/dialog/dialog';
import { instantOf } from '../../ui/wall-time';
import type { Span } from './calendar';
import { appointmentTexts } from './texts/texts';
import type { Appointment } from './use-appointments';
import { useFormats } from './use-formats';

interface MoveQuestionProps {
  appointment: Appointment;
  span: Span;
  zone: string;
  onAnswer: (isYes: boolean) => void;
}

/** Before an invited customer gets an e-mail about another time. */
export function MoveQuestion({ appointment, span, zone, onAnswer }: MoveQuestionProps) {
  const texts = appointmentTexts.use();
  const { period } = useFormats(zone);
  const iso = (wall: string) => instantOf(wall, zone)?.toISOString() ?? appointment.starts_at;
  return (
    <Dialog opened onClose={() => onAnswer(false)} title={texts.moveTitle}>
      <Stack>
        <Text>{texts.moveTo(period({ starts_at: iso(span.start), ends_at: iso(span.end) }))}</Text>
        <Text>{texts.customerNotified}</Text>
        <Group justify="end">
          <Button variant="default" onClick={() => onAnswer(false)}>
            {texts.moveBack}
          </Button>
          <Button onClick={() => onAnswer(true)} data-testid="move-confirm">
            {texts.move}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
