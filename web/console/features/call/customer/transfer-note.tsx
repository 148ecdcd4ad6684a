import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { callTexts } from '../texts/texts';
import { lastTransferNote } from './transfer-note.rules';

/** What was written for this agent when the call was handed over. */
export function TransferNote({ callId }: { callId: string }) {
  const { transfer } = callTexts.use();
  const api = useApi();
  const { data: note } = useQuery({
    queryKey: ['transfer-note', callId],
    queryFn: async () => {
      const params = { path: { id: callId } };
      const { data } = await unwrap(api.GET('/api/v1/calls/{id}/timeline', { params }));
      return lastTransferNote(data);
    },
    staleTime: Infinity,
    // A call can come back to an agent who had it before.
    refetchOnMount: 'always',
  });
  if (!note) return null;
  return (
    <Text size="sm" className="call-text" data-testid="transfer-note-before">
      <strong>{transfer.noteBefore}:</strong> {note}
    </Text>
  );
}
