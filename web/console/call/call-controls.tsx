import type { ConsoleState } from '../console-state';
import { canShareScreen } from '../../shared/call/local-media';
import { canShowPictureInPicture, togglePictureInPicture } from '../../shared/call/picture-in-picture';
import { texts } from '../texts/language';
import { attempt } from '../ui/errors';
import type { AgentCall } from './agent-call';

interface CallControlsProps {
  call: AgentCall;
  state: ConsoleState;
  video: HTMLVideoElement | null;
}

/** Microphone, camera, screen, picture in picture, and the end of the call. */
export function CallControls({ call, state, video }: CallControlsProps) {
  const labels = texts.value.call;
  const { media } = call;
  // Makes this component read the devices again.
  void call.mediaChanges.value;
  const isSharing = media.tracks.screen !== null;
  return (
    <div class="controls" role="group">
      <Toggle
        testId="toggle-microphone"
        isOn={media.microphoneOn}
        label={media.microphoneOn ? labels.mute : labels.unmute}
        onClick={() => media.setMicrophone(!media.microphoneOn)}
      />
      <Toggle
        testId="toggle-camera"
        isOn={media.cameraOn}
        label={media.cameraOn ? labels.cameraOff : labels.cameraOn}
        onClick={() => media.setCamera(!media.cameraOn)}
      />
      {canShareScreen() && (
        <Toggle
          testId="share-screen"
          isOn={isSharing}
          label={isSharing ? labels.stopScreen : labels.shareScreen}
          onClick={async () => (isSharing ? media.stopScreen() : media.startScreen())}
        />
      )}
      {video && canShowPictureInPicture(video) && (
        <button type="button" onClick={() => attempt(() => togglePictureInPicture(video))}>
          {labels.pictureInPicture}
        </button>
      )}
      <button
        type="button"
        class="danger"
        data-testid="complete"
        onClick={() => attempt(() => state.complete())}
      >
        {labels.complete}
      </button>
    </div>
  );
}

interface ToggleProps {
  testId: string;
  isOn: boolean;
  label: string;
  onClick: () => Promise<unknown>;
}

/** The label says what a click does, so the button has no pressed state. */
function Toggle({ testId, isOn, label, onClick }: ToggleProps) {
  return (
    <button type="button" data-testid={testId} data-on={isOn} onClick={() => attempt(onClick)}>
      {label}
    </button>
  );
}
