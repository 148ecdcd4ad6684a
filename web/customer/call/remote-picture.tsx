import { useCallTexts } from '../app/app-context';
import { CallIcon } from './call-icon';
import { type CallRuntime, canSeeAndHear } from './call-runtime';
import { Video } from './video';

interface RemotePictureProps {
  runtime: CallRuntime;
  name: string;
  photo: string | null;
  onVideo: (element: HTMLVideoElement | null) => void;
}

/** The agent's picture or screen; with a screen, the face is small beside it. */
export function RemotePicture({ runtime, name, photo, onVideo }: RemotePictureProps) {
  const { call } = useCallTexts();
  const { video, screen } = runtime.remote.value;
  const state = runtime.state.value;
  const isConnected = state === 'connected' || state === 'audio_only';
  const isMuted = runtime.peerMedia.value?.audio === false;
  const shown = screen ?? video;
  const waiting = state === 'waiting' ? call.waitingFor(name) : call.connecting(name);
  const reason = isConnected ? call.noVideo(name) : waiting;
  return (
    <div class={`remote ${screen ? 'remote-screen' : ''}`}>
      <Video
        stream={shown}
        label={call.remoteVideo(name)}
        testId="remote-video"
        className={`remote-main ${shown ? '' : 'is-empty'}`}
        onElement={onVideo}
      />
      {screen && video && <Video stream={video} label={call.remoteVideo(name)} className="remote-face" />}
      {!shown && (
        <div class="remote-empty">
          <span class="remote-person">{photo ? <img src={photo} alt="" /> : <CallIcon name="person" />}</span>
          <p role="status">{canSeeAndHear() ? reason : call.chatOnly}</p>
        </div>
      )}
      {isConnected && isMuted && (
        <p class="remote-muted">
          <CallIcon name="microphoneOff" /> {call.muted(name)}
        </p>
      )}
    </div>
  );
}
