import { useState } from 'preact/hooks';
import { useCallTexts } from '../app/app-context';
import { CallIcon } from './call-icon';
import type { CallMedia } from './call-media';
import { Video } from './video';

const CORNERS = ['top-end', 'bottom-end', 'bottom-start', 'top-start'] as const;

/** The own picture in a corner; a tap moves it to the next one. */
export function OwnPicture({ media }: { media: CallMedia }) {
  const { call } = useCallTexts();
  const [corner, setCorner] = useState(0);
  const { preview, cameraOn, microphoneOn } = media.view.value;
  const isFront = preview?.getVideoTracks()[0]?.getSettings().facingMode !== 'environment';
  return (
    <button
      class={`own own-${CORNERS[corner % CORNERS.length]}`}
      type="button"
      aria-label={call.ownVideo}
      onClick={() => setCorner(corner + 1)}
    >
      <Video
        stream={preview}
        label={call.you}
        testId="local-video"
        isMirrored={isFront}
        className={cameraOn ? '' : 'is-empty'}
      />
      {!cameraOn && <CallIcon name="cameraOff" />}
      {!microphoneOn && (
        <span class="own-muted">
          <CallIcon name="microphoneOff" />
        </span>
      )}
    </button>
  );
}
