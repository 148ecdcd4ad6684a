import { Alert, List, Text } from '@mantine/core';
import { appointmentTexts } from './texts/texts';
import { useConflicts, type Slot } from './use-appointments';
import { useFormats } from './use-formats';

/** Says which other appointments of the agent are in the way. */
export function ConflictNotice({ slot, zone }: { slot: Slot | null; zone: string }) {
  const texts = appointmentTexts.use();
  const { period } = useFormats(zone);
  const conflicts = useConflicts(slot);
  if (conflicts.length === 0) return null;
  return (
    <Alert color="orange" role="status" data-testid="conflicts">
      <Text>{texts.conflicts}</Text>
      <List size="sm">
        {conflicts.map((conflict) => (
          <List.Item key={conflict.id}>
            {conflict.title || texts.untitled}: {period(conflict)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
