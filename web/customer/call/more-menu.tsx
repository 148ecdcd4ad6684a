import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { canShowPictureInPicture, togglePictureInPicture } from '../../shared/call/picture-in-picture';
import { canChooseSpeaker } from '../../shared/call/speaker';
import { useCallTexts } from '../app/app-context';
import { onEscape } from '../ui/on-escape';
import { useFocusReturn } from '../ui/use-focus-return';
import { CallIcon } from './call-icon';
import type { CallRuntime } from './call-runtime';
import { ControlButton } from './control-button';
import { DeviceSelect } from './devices/device-select';
import { SpeakerSelect } from './devices/speaker-select';
import { useDevices } from './devices/use-devices';

interface MoreMenuProps {
  runtime: CallRuntime;
  video: HTMLVideoElement | null;
}

/** What is needed seldom: the choice of devices, and the small window. */
export function MoreMenu({ runtime, video }: MoreMenuProps) {
  const { call } = useCallTexts();
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const { microphones, cameras, speakers } = useDevices(runtime.media);
  const { local } = runtime.media;
  const { tracks } = local;
  const id = useId();
  useFocusReturn(isOpen, area, 'button');
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const onKey = onEscape(() => setOpen(false));
    const onDown = ({ target }: Event) =>
      target instanceof Node && !area.current?.contains(target) && setOpen(false);
    addEventListener('keydown', onKey);
    addEventListener('pointerdown', onDown);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('pointerdown', onDown);
    };
  }, [isOpen]);
  const showSmall = () => {
    if (video) void togglePictureInPicture(video).catch(() => undefined);
    setOpen(false);
  };
  return (
    <div class="more" ref={area}>
      <ControlButton
        testId="more"
        icon="more"
        label={call.more}
        isExpanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div class="more-menu" id={id}>
          {video && canShowPictureInPicture(video) && (
            <button class="button" type="button" onClick={showSmall}>
              <CallIcon name="pictureInPicture" /> {call.pictureInPicture}
            </button>
          )}
          <DeviceSelect
            label={call.microphone}
            devices={microphones}
            current={tracks.audio?.getSettings().deviceId}
            onChoose={(device) => void local.chooseDevice('audio', device)}
          />
          <DeviceSelect
            label={call.camera}
            devices={cameras}
            current={tracks.camera?.getSettings().deviceId}
            onChoose={(device) => void local.chooseDevice('camera', device)}
          />
          {canChooseSpeaker() && <SpeakerSelect runtime={runtime} speakers={speakers} />}
        </div>
      )}
    </div>
  );
}
