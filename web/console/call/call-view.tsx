import { useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import type { ConsoleState } from '../console-state';
import { texts } from '../texts/language';
import { attempt } from '../ui/errors';
import { StreamVideo } from '../ui/stream-video';
import type { AgentCall } from './agent-call';
import { CallControls } from './call-controls';
import { CallFacts } from './call-facts';
import { CallNotes } from './call-notes';
import { CallStatus } from './call-status';
import { ChatPanel } from './chat-panel';
import { RecordButton } from './record-button';
import { TransferForm } from './transfer-form';

export function CallView({ call, state }: { call: AgentCall; state: ConsoleState }) {
  const labels = texts.value.call;
  const item = call.call.value;
  const video = useSignal<HTMLVideoElement | null>(null);
  const keepVideo = useCallback((element: HTMLVideoElement | null) => (video.value = element), [video]);
  return (
    <section class="card call" aria-label={labels.title(item.customer_name)}>
      <h2>{labels.title(item.customer_name)}</h2>
      <CallFacts call={call} state={state} />
      {item.status === 'assigned' && (
        <button
          type="button"
          class="primary"
          data-testid="answer"
          onClick={() => attempt(() => state.startCall(call.id))}
        >
          {labels.start}
        </button>
      )}
      <CallStatus call={call} />
      <Stage call={call} onVideo={keepVideo} />
      <CallControls call={call} state={state} video={video.value} />
      <RecordButton call={call} state={state} />
      <div class="columns">
        <ChatPanel call={call} />
        <div>
          <CallNotes call={call} state={state} />
          <TransferForm call={call} state={state} />
        </div>
      </div>
    </section>
  );
}

/** The shared screen, if there is one, takes the place of the picture. */
function Stage({ call, onVideo }: { call: AgentCall; onVideo: (element: HTMLVideoElement | null) => void }) {
  const labels = texts.value.call;
  const { video, screen } = call.remote.value;
  // Makes this component read the devices again.
  void call.mediaChanges.value;
  return (
    <div class="stage">
      <StreamVideo
        class="remote"
        testId="remote-video"
        label={labels.remote}
        stream={screen ?? video}
        onElement={onVideo}
      />
      {!video && !screen && <p class="placeholder">{labels.noVideo}</p>}
      {screen && video && <StreamVideo class="inset start" label={labels.remote} stream={video} />}
      <StreamVideo class="inset own" testId="local-video" label={labels.local} stream={call.media.preview} />
    </div>
  );
}
