import { useState } from 'react';
import { canShareScreen } from '../../../../shared/call/local-media';
import { canShowPictureInPicture, togglePictureInPicture } from '../../../../shared/call/picture-in-picture';
import type { AgentCall } from '../../../state/agent-call';
import { useShortcut } from '../../../ui/shortcuts/use-shortcut';
import { useAttempt } from '../../../ui/use-attempt';
import { useSignalValue } from '../../../ui/use-signal-value';
import { DeviceMenu } from '../devices/device-menu';
import { callTexts } from '../texts/texts';
import { TransferDialog } from '../transfer/transfer-dialog';
import { ControlButton } from './control-button';
import { RecordButton } from './record-button';

interface CallControlsProps {
  call: AgentCall;
  video: HTMLVideoElement | null;
}

/** Microphone, camera, screen, recording, transfer and devices. */
export function CallControls({ call, video }: CallControlsProps) {
  const { call: labels, transfer } = callTexts.use();
  const attempt = useAttempt();
  const [isTransferring, setTransferring] = useState(false);
  const isActive = useSignalValue(call.call).status === 'active';
  useShortcut({
    keys: 't',
    label: transfer.title,
    action: () => setTransferring(true),
    isEnabled: isActive,
    onlyOpens: true,
  });
  const showSmall = () => video && attempt(() => togglePictureInPicture(video));
  const canShowSmall = video !== null && canShowPictureInPicture(video);
  useShortcut({
    keys: 'p',
    label: labels.pictureInPicture,
    action: showSmall,
    isEnabled: canShowSmall,
  });
  return (
    <div role="group" aria-label={labels.controls} className="call-controls">
      <MediaButtons call={call} />
      <RecordButton call={call} />
      {isActive && (
        <ControlButton
          icon="transfer"
          label={transfer.title}
          keys="t"
          testId="transfer"
          onClick={() => setTransferring(true)}
        />
      )}
      {canShowSmall && (
        <ControlButton icon="pictureInPicture" label={labels.pictureInPicture} keys="p" onClick={showSmall} />
      )}
      <DeviceMenu call={call} />
      {isTransferring && <TransferDialog call={call} onClose={() => setTransferring(false)} />}
    </div>
  );
}

/** What of the agent the customer hears and sees. */
function MediaButtons({ call }: { call: AgentCall }) {
  const { call: labels } = callTexts.use();
  const attempt = useAttempt();
  const { media } = call;
  // Makes this component read the devices again.
  useSignalValue(call.mediaChanges);
  const isSharing = media.tracks.screen !== null;
  const microphone = {
    label: media.microphoneOn ? labels.mute : labels.unmute,
    action: () => attempt(() => media.setMicrophone(!media.microphoneOn)),
  };
  const camera = {
    label: media.cameraOn ? labels.cameraOff : labels.cameraOn,
    action: () => attempt(() => media.setCamera(!media.cameraOn)),
  };
  const screen = {
    label: isSharing ? labels.stopScreen : labels.shareScreen,
    action: () => attempt(async () => (isSharing ? media.stopScreen() : media.startScreen())),
  };
  useShortcut({ keys: 'm', ...microphone });
  useShortcut({ keys: 'v', ...camera });
  useShortcut({ keys: 's', ...screen, isEnabled: canShareScreen() });
  return (
    <>
      <ControlButton
        icon={media.microphoneOn ? 'microphone' : 'microphoneOff'}
        label={microphone.label}
        look={media.microphoneOn ? undefined : 'off'}
        keys="m"
        testId="toggle-microphone"
        data-on={media.microphoneOn}
        onClick={microphone.action}
      />
      <ControlButton
        icon={media.cameraOn ? 'camera' : 'cameraOff'}
        label={camera.label}
        look={media.cameraOn ? undefined : 'off'}
        keys="v"
        testId="toggle-camera"
        data-on={media.cameraOn}
        onClick={camera.action}
      />
      {canShareScreen() && (
        <ControlButton
          icon="screen"
          label={screen.label}
          look={isSharing ? 'live' : undefined}
          keys="s"
          testId="share-screen"
          data-on={isSharing}
          onClick={screen.action}
        />
      )}
    </>
  );
}
