import { useApp, useCallTexts } from '../app/app-context';
import { clockText } from '../format/time-text';
import type { CallFacts } from '../state/state.types';
import { useNow } from '../ui/use-countdown';
import type { CallRuntime } from './call-runtime';
import { RecordingNotice } from './recording/recording-notice';

interface CallStatusProps {
  call: CallFacts;
  runtime: CallRuntime;
  name: string;
}

/** For which company and with whom, how long, how good the connection is, and whether it is recorded. */
export function CallStatus({ call, runtime, name }: CallStatusProps) {
  const { page, store } = useApp();
  const { call: texts } = useCallTexts();
  const now = useNow();
  // While nothing arrives, the last figures are out of date.
  const level = runtime.state.value === 'reconnecting' ? undefined : runtime.quality.value?.level;
  const seconds = call.startedAt ? (now - call.startedAt) / 1000 : 0;
  return (
    <div class="call-status">
      <span class="call-company" data-testid="company">
        {page.company?.logo_url ? (
          <img src={page.company.logo_url} alt={page.company.name} />
        ) : (
          (page.company?.name ?? store.link.value?.company_name)
        )}
      </span>
      <span class="call-name">
        {call.agentPhoto && <img class="call-photo" src={call.agentPhoto} alt="" data-testid="agent-photo" />}
        {name}
      </span>
      <span class="call-clock" role="timer" aria-label={texts.duration}>
        {clockText(seconds)}
      </span>
      {level && (
        <span class={`quality quality-${level}`} data-testid="quality" data-level={level}>
          <svg viewBox="0 0 18 14" aria-hidden="true">
            <rect x="0" y="9" width="4" height="5" rx="1" />
            <rect x="7" y="5" width="4" height="9" rx="1" />
            <rect x="14" y="0" width="4" height="14" rx="1" />
          </svg>
          {texts.quality[level]}
        </span>
      )}
      <RecordingNotice state={call.recording} />
    </div>
  );
}
