import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { type Api, unwrap } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { useAttempt } from '../../../ui/use-attempt';
import { recordingTexts } from './texts/texts';

/** A URL that failed sooner than this is not replaced by another one. */
const MIN_TICKET_AGE_MS = 60_000;

async function issueTicket(api: Api, callId: string, recordingId: string): Promise<string> {
  const params = { path: { call_id: callId }, query: { recording_id: recordingId } };
  return (await unwrap(api.POST('/api/v1/calls/{call_id}/recording/ticket', { params }))).data.url;
}

/** Saves a recording under the name that the service gives it. The browser streams it: it can be larger than memory. */
export function DownloadButton({ callId, recordingId }: { callId: string; recordingId: string }) {
  const texts = recordingTexts.use();
  const api = useApi();
  const attempt = useAttempt();
  const download = async () => {
    const link = document.createElement('a');
    link.href = `${await issueTicket(api, callId, recordingId)}&download=true`;
    link.download = '';
    link.click();
  };
  return (
    <Button size="xs" variant="default" onClick={() => attempt(download)} data-testid="download-recording">
      {texts.download}
    </Button>
  );
}

/** Plays a recording. Its URL is valid for some minutes: when it has expired, another one goes on at the same place. */
export function Player({ callId, recordingId }: { callId: string; recordingId: string }) {
  const texts = recordingTexts.use();
  const api = useApi();
  const attempt = useAttempt();
  const position = useRef(0);
  const [ticket, setTicket] = useState<{ url: string; made_at: number } | null>(null);
  const load = async () =>
    setTicket({ url: await issueTicket(api, callId, recordingId), made_at: Date.now() });
  const renew = () => {
    if (ticket && Date.now() - ticket.made_at > MIN_TICKET_AGE_MS) attempt(load);
  };
  if (!ticket) {
    return (
      <Button onClick={() => attempt(load)} data-testid="play-recording">
        {texts.play}
      </Button>
    );
  }
  return (
    // The transcript stands beside it: it has no times, so it cannot be a track of captions.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      className="recording"
      data-testid="recording-player"
      src={ticket.url}
      controls
      autoPlay
      aria-label={texts.player}
      onTimeUpdate={({ currentTarget }) => (position.current = currentTarget.currentTime)}
      onLoadedMetadata={({ currentTarget }) => (currentTarget.currentTime = position.current)}
      onError={renew}
    />
  );
}
