import { useRef } from 'preact/hooks';
import { canShareScreen } from '../../shared/call/local-media';
import { useApp, useCallTexts, useTexts } from '../app/app-context';
import { useFocusReturn } from '../ui/use-focus-return';
import { type CallRuntime, canSeeAndHear } from './call-runtime';
import { ControlButton } from './control-button';
import { HangUpButton } from './hang-up-button';
import { MoreMenu } from './more-menu';
import { useCameraCount } from './devices/use-devices';

interface ControlsProps {
  runtime: CallRuntime;
  video: HTMLVideoElement | null;
  isChatOpen: boolean;
  onChat: () => void;
}

/** The buttons of the call. */
export function Controls({ runtime, video, isChatOpen, onChat }: ControlsProps) {
  const { live, isTextOnly } = useApp();
  const { call, chat } = useCallTexts();
  const { unread: news } = useTexts();
  const { media } = runtime;
  const group = useRef<HTMLDivElement>(null);
  useFocusReturn(isChatOpen, group, '[data-testid="chat-open"]');
  const { microphoneOn, cameraOn, isSharing } = media.view.value;
  const cameras = useCameraCount(media);
  const unread = live.chat.unread.value;
  const hasDevices = !isTextOnly.value && runtime.isReady.value;
  return (
    <div class="controls" role="group" ref={group}>
      {hasDevices && (
        <>
          <ControlButton
            testId="toggle-microphone"
            icon={microphoneOn ? 'microphone' : 'microphoneOff'}
            label={microphoneOn ? call.mute : call.unmute}
            isOff={!microphoneOn}
            onClick={() => void media.setMicrophone(!microphoneOn)}
          />
          <ControlButton
            testId="toggle-camera"
            icon={cameraOn ? 'camera' : 'cameraOff'}
            label={cameraOn ? call.cameraOff : call.cameraOn}
            isOff={!cameraOn}
            onClick={() => void media.setCamera(!cameraOn)}
          />
          {cameraOn && cameras > 1 && (
            <ControlButton
              testId="switch-camera"
              icon="switchCamera"
              label={call.switchCamera}
              onClick={() => void media.local.switchCamera()}
            />
          )}
        </>
      )}
      {canSeeAndHear() && canShareScreen() && (
        <ControlButton
          testId="share-screen"
          icon="screen"
          label={isSharing ? call.stopSharing : call.shareScreen}
          isActive={isSharing}
          onClick={() => void media.toggleScreen()}
        />
      )}
      <ControlButton
        testId="chat-open"
        icon="chat"
        label={unread > 0 ? news.chat(unread) : chat.open}
        badge={isChatOpen ? 0 : unread}
        isActive={isChatOpen}
        isExpanded={isChatOpen}
        onClick={onChat}
      />
      {canSeeAndHear() && <MoreMenu runtime={runtime} video={video} />}
      <HangUpButton />
    </div>
  );
}
