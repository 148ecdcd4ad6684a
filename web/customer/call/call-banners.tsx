import { useApp, useCallTexts } from '../app/app-context';
import { number } from '../../shared/texts/wait/wait-text';
import type { StateOf } from '../state/state.types';
import { Notice } from '../ui/notice';
import { useNow, useSecondsUntil } from '../ui/use-countdown';
import { CallIcon } from './call-icon';
import type { CallRuntime } from './call-runtime';

interface CallBannersProps {
  state: StateOf<'in_call'>;
  runtime: CallRuntime;
  name: string;
}

/** What disturbs the call, over the picture. */
export function CallBanners({ state, runtime, name }: CallBannersProps) {
  const { call } = useCallTexts();
  const isConnected = runtime.state.value === 'connected';
  return (
    <div class="banners">
      <LossBanner state={state} runtime={runtime} name={name} />
      {runtime.state.value === 'audio_only' && (
        <Notice tone="warning" role="status">
          {call.audioOnly}
        </Notice>
      )}
      {state.isNewAgent && !isConnected && <Notice role="status">{call.newAgent(name)}</Notice>}
      {runtime.isSoundBlocked.value && (
        <button class="button button-primary" type="button" onClick={() => runtime.playSound()}>
          <CallIcon name="speaker" /> {call.tapToHear}
        </button>
      )}
    </div>
  );
}

/** Which side has lost the connection, and how long the call waits for it. */
function LossBanner({ state, runtime, name }: CallBannersProps) {
  const { live, page, language } = useApp();
  const { call } = useCallTexts();
  const seconds = useSecondsUntil(state.peerLost?.until ?? null);
  const since = live.offlineSince.value;
  const offline = (useNow(since !== null) - (since ?? Infinity)) / 1000;
  if (since !== null) {
    const left = page.grace_seconds - Math.max(0, Math.floor(offline));
    return (
      <Notice tone="warning" icon="offline" role="alert" testId="reconnecting">
        {left > 0 ? call.reconnecting : call.maybeOver}
        {left > 0 && <span aria-hidden="true"> ({number(left, language.value)})</span>}
      </Notice>
    );
  }
  if (state.peerLost) {
    return (
      <Notice tone="warning" icon="offline" testId="peer-lost">
        {/* Read aloud once: not each second. */}
        <p class="visually-hidden" role="alert">
          {call.peerLostSince(name)}
        </p>
        <p aria-hidden="true">{call.peerLost(name, number(seconds, language.value))}</p>
      </Notice>
    );
  }
  if (runtime.state.value !== 'reconnecting') return null;
  return (
    <Notice tone="warning" icon="offline" role="alert" testId="reconnecting">
      {call.reconnecting}
    </Notice>
  );
}
