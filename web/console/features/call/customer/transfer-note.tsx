import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { callTexts } from '../texts/texts';
import { lastTransferNote, type TransferEntry } from './transfer-note.rules';

/** What the agent before has written about the call when they handed it over. */
export function TransferNote({ callId }: { callId: string }) {
  const { transfer } = callTexts.use();
  const api = useApi();
  const { data: note } = useQuery({
    queryKey: ['transfer-note', callId],
    queryFn: async () => {
      const params = { path: { id: callId } };
      const { data } = await unwrap(api.GET('/api/v1/calls/{id}/timeline', { params }));
      return lastTransferNote(data as TransferEntry[]);
    },
    staleTime: Infinity,
  });
  if (!note) return null;
  return (
    <Text size="sm" className="call-text" data-testid="transfer-note-before">
      <strong>{note.name ? transfer.noteOf(note.name) : transfer.note}:</strong> {note.text}
    </Text>
  );
}
