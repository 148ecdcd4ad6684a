import { useState } from 'preact/hooks';
import { useCallTexts } from '../../app/app-context';
import type { CallRuntime } from '../call-runtime';
import { DeviceSelect } from './device-select';

interface SpeakerSelectProps {
  runtime: CallRuntime;
  speakers: readonly MediaDeviceInfo[];
}

/** The choice of where the sound comes out. */
export function SpeakerSelect({ runtime, speakers }: SpeakerSelectProps) {
  const { call } = useCallTexts();
  const [chosen, setChosen] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  const choose = (device: string) => {
    setChosen(device);
    setFailed(false);
    runtime.setSpeaker(device).catch(() => {
      // The sound stays where it was, so the choice does, too.
      setChosen(chosen);
      setFailed(true);
    });
  };
  return (
    <>
      <DeviceSelect
        label={call.speaker}
        devices={speakers}
        current={chosen ?? speakers[0]?.deviceId}
        onChoose={choose}
      />
      {hasFailed && (
        <p class="field-error" role="alert" data-testid="speaker-failed">
          {call.speakerFailed}
        </p>
      )}
    </>
  );
}
