import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError, unwrap } from '../../../../shared/api/client';
import { useApi, useHasRole } from '../../../state/console-context';
import { useOwnTenant } from '../../../state/use-me';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useAttempt } from '../../../ui/use-attempt';
import { recordingTexts } from './texts/texts';
import { turnsOf } from './transcript.rules';
import { useGenerated } from './use-generated';

interface OfRecording {
  callId: string;
  recordingId: string;
}

export function Summary({ callId, recordingId }: OfRecording) {
  const texts = recordingTexts.use();
  const summary = useGenerated('summary', callId, recordingId);
  return (
    <Generated kind="summary" result={summary} callId={callId} recordingId={recordingId}>
      {summary.data && (
        <>
          <Text style={{ whiteSpace: 'pre-wrap' }}>{summary.data.summary}</Text>
          <Text size="sm" c="dimmed">
            {texts.bySoftware(summary.data.model)}
          </Text>
        </>
      )}
    </Generated>
  );
}

export function Transcript({ callId, recordingId }: OfRecording) {
  const texts = recordingTexts.use();
  const transcript = useGenerated('transcript', callId, recordingId);
  const turns = transcript.data ? turnsOf(transcript.data.transcript) : [];
  return (
    <Generated kind="transcript" result={transcript} callId={callId} recordingId={recordingId}>
      {transcript.data && turns.length === 0 && <Text>{texts.silent}</Text>}
      {turns.length > 0 && (
        // Scrolled by the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div
          className="transcript"
          tabIndex={0}
          role="region"
          aria-label={texts.transcript}
          lang={transcript.data?.language}
        >
          {turns.map(({ speaker, text }, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <Text key={index} mb={6}>
              {speaker && <strong>{texts.speaker(speaker)}: </strong>}
              {text}
            </Text>
          ))}
        </div>
      )}
    </Generated>
  );
}

interface GeneratedProps extends OfRecording {
  kind: 'transcript' | 'summary';
  result: Pick<ReturnType<typeof useGenerated>, 'missing' | 'error' | 'isPending' | 'refetch'>;
  children: ReactNode;
}

/** A text that software has written, or why there is none. */
function Generated({ kind, result, children, ...recording }: GeneratedProps) {
  const texts = recordingTexts.use();
  const tenant = useOwnTenant();
  const canWrite = kind === 'transcript' ? tenant?.has_transcripts : tenant?.has_summaries;
  const mayRetry = useHasRole('supervisor') && canWrite;
  const { missing, error, isPending, refetch } = result;
  return (
    <Stack gap="xs" align="stretch">
      <Title order={3} size="h5">
        {texts[kind]}
      </Title>
      {isPending && <Skeleton height={60} />}
      {missing && <Text role="status">{texts[missing][kind]}</Text>}
      {mayRetry && (missing === 'failed' || missing === 'none') && <RetryButton {...recording} />}
      <ProblemNotice error={error} onRetry={refetch} />
      {children}
    </Stack>
  );
}

function RetryButton({ callId, recordingId }: OfRecording) {
  const texts = recordingTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const attempt = useAttempt();
  const retry = async () => {
    const params = { path: { call_id: callId }, query: { recording_id: recordingId } };
    try {
      await unwrap(api.POST('/api/v1/calls/{call_id}/transcript/retry', { params }));
      notifications.show({ message: texts.requested });
    } catch (error) {
      const isPointless = error instanceof ApiError && (error.code === 'none' || error.code === 'not_failed');
      if (!isPointless) throw error;
      notifications.show({ message: texts.nothingToRetry, color: 'yellow' });
    }
    await queries.invalidateQueries({ queryKey: ['calls', callId] });
  };
  return (
    <Button size="xs" variant="default" style={{ alignSelf: 'start' }} onClick={() => attempt(retry)}>
      {texts.retry}
    </Button>
  );
}
