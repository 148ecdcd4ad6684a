import type { AgentCall } from '../../state/agent-call';
import { StreamVideo } from '../../ui/stream-video';
import { useSignalValue } from '../../ui/use-signal-value';
import { callTexts } from './texts/texts';

interface CallStageProps {
  call: AgentCall;
  onVideo: (element: HTMLVideoElement | null) => void;
}

/** The pictures. The shared screen, if there is one, takes the place of the customer's picture. */
export function CallStage({ call, onVideo }: CallStageProps) {
  const { call: labels } = callTexts.use();
  const { video, screen } = useSignalValue(call.remote);
  // Makes this component read the devices again.
  useSignalValue(call.mediaChanges);
  return (
    <div className="call-stage">
      <StreamVideo
        className="remote"
        testId="remote-video"
        label={labels.remote}
        stream={screen ?? video}
        onElement={onVideo}
      />
      {!video && !screen && <p className="placeholder">{labels.noVideo}</p>}
      {screen && video && <StreamVideo className="inset start" label={labels.remote} stream={video} />}
      <StreamVideo
        className="inset own camera"
        testId="local-video"
        label={labels.local}
        stream={call.media.preview}
      />
    </div>
  );
}
