import { Button, Group } from '@mantine/core';
import { canShareScreen } from '../../../shared/call/local-media';
import { canShowPictureInPicture, togglePictureInPicture } from '../../../shared/call/picture-in-picture';
import type { AgentCall } from '../../state/agent-call';
import { useConsole } from '../../state/console-context';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';
import { RecordButton } from './record-button';
import { callTexts } from './texts/texts';

interface CallControlsProps {
  call: AgentCall;
  video: HTMLVideoElement | null;
}

/** Microphone, camera, screen, recording, picture in picture, and the end of the call. */
export function CallControls({ call, video }: CallControlsProps) {
  const { call: labels } = callTexts.use();
  const state = useConsole();
  const attempt = useAttempt();
  const { media } = call;
  // Makes this component read the devices again.
  useSignalValue(call.mediaChanges);
  const isSharing = media.tracks.screen !== null;
  return (
    <Group gap="xs" role="group" aria-label={labels.controls} className="call-controls">
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
      <RecordButton call={call} />
      {video && canShowPictureInPicture(video) && (
        <Button variant="default" onClick={() => attempt(() => togglePictureInPicture(video))}>
          {labels.pictureInPicture}
        </Button>
      )}
      <Button color="red" data-testid="complete" onClick={() => attempt(() => state.complete())}>
        {labels.complete}
      </Button>
    </Group>
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
  const attempt = useAttempt();
  return (
    <Button variant="default" data-testid={testId} data-on={isOn} onClick={() => attempt(onClick)}>
      {label}
    </Button>
  );
}
