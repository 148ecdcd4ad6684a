import { useEffect, useState } from 'preact/hooks';
import { useApp, useCallTexts } from '../app/app-context';
import type { StateOf } from '../state/state.types';
import { Screen } from '../ui/screen';
import { CallBanners } from './call-banners';
import { CallStatus } from './call-status';
import { type CallRuntime, canSeeAndHear } from './call-runtime';
import { ChatPanel } from './chat-panel';
import { Controls } from './controls';
import { OwnPicture } from './own-picture';
import { PermissionHelp } from './permission/permission-help';
import { ReadyCard } from './ready-card';
import { RecordingQuestion } from './recording/recording-question';
import { RemotePicture } from './remote-picture';
import { useRootFlag } from './use-root-flag';

interface InCallProps {
  state: StateOf<'in_call'>;
  runtime: CallRuntime;
}

/** The conversation. */
export function InCallScreen({ state, runtime }: InCallProps) {
  const { live, isTextOnly } = useApp();
  const { call: texts } = useCallTexts();
  const { isAccepted, view } = runtime.media;
  // Without sound, what the customer has to say is written.
  const [isChatOpen, setChatOpen] = useState(
    () => !canSeeAndHear() || isTextOnly.value || (isAccepted.value && !view.value.microphoneOn),
  );
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const name = state.call.agent ?? texts.agent;
  const { unread } = live.chat;
  useEffect(() => {
    if (isChatOpen) live.chat.markRead();
  }, [isChatOpen, unread.value]);
  useRootFlag('call');
  useRootFlag('chat', isChatOpen);
  return (
    <Screen name="in_call" title={texts.title(name)}>
      <CallStatus call={state.call} runtime={runtime} name={name} />
      <div class="call-stage">
        <RemotePicture runtime={runtime} name={name} photo={state.call.agentPhoto} onVideo={setVideo} />
        <OwnPicture media={runtime.media} />
        <CallBanners state={state} runtime={runtime} name={name} />
        {!isTextOnly.value &&
          (runtime.isReady.value ? (
            <PermissionHelp media={runtime.media} onTextOnly={() => setChatOpen(true)} />
          ) : (
            <ReadyCard runtime={runtime} />
          ))}
      </div>
      {isChatOpen && <ChatPanel chat={live.chat} name={name} onClose={() => setChatOpen(false)} />}
      <Controls
        runtime={runtime}
        video={video}
        isChatOpen={isChatOpen}
        onChat={() => setChatOpen(!isChatOpen)}
      />
      {state.call.recording?.recording === 'requested' && state.call.recording.consent === null && (
        <RecordingQuestion name={name} />
      )}
    </Screen>
  );
}
