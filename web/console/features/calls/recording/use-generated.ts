import { useQuery } from '@tanstack/react-query';
import { ApiError, unwrap, type components } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { type Missing, missingOf } from './transcript.rules';

const PENDING_REFETCH_MS = 10_000;

type Answer<Kind> = Kind extends 'transcript'
  ? components['schemas']['TranscriptDto']
  : components['schemas']['SummaryDto'];

interface Generated<Kind> {
  data: Answer<Kind> | undefined;
  missing: Missing | undefined;
  /** A failure that is none of the text itself. */
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

/** The transcript or the summary of a recording; asked for again while it is being written. */
export function useGenerated<Kind extends 'transcript' | 'summary'>(
  kind: Kind,
  callId: string,
  recordingId: string,
): Generated<Kind> {
  const api = useApi();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['calls', callId, kind, recordingId],
    queryFn: async () => {
      const params = { path: { call_id: callId }, query: { recording_id: recordingId } };
      const answer =
        kind === 'transcript'
          ? await unwrap(api.GET('/api/v1/calls/{call_id}/transcript', { params }))
          : await unwrap(api.GET('/api/v1/calls/{call_id}/summary', { params }));
      return answer.data as Answer<Kind>;
    },
    refetchInterval: ({ state }) => (reasonOf(state.error) === 'pending' ? PENDING_REFETCH_MS : false),
  });
  const missing = reasonOf(error);
  return { data: missing ? undefined : data, missing, error: missing ? null : error, isPending, refetch };
}

const reasonOf = (error: unknown) => (error instanceof ApiError ? missingOf(error.code) : undefined);
