import { useId } from 'preact/hooks';
import { useApp, useCallTexts } from '../../app/app-context';
import { number } from '../../../shared/texts/wait/wait-text';

interface DeviceSelectProps {
  label: string;
  devices: readonly MediaDeviceInfo[];
  /** The id of the chosen device; undefined if the browser chooses. */
  current: string | undefined;
  onChoose: (deviceId: string) => void;
}

/** The choice of one of several devices; nothing to show for fewer than two. */
export function DeviceSelect({ label, devices, current, onChoose }: DeviceSelectProps) {
  const { language } = useApp();
  const { call } = useCallTexts();
  const id = useId();
  if (devices.length < 2) return null;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={current} onChange={(event) => onChoose(event.currentTarget.value)}>
        {devices.map((device, index) => (
          <option key={device.deviceId} value={device.deviceId}>
            {device.label || call.device(number(index + 1, language.value))}
          </option>
        ))}
      </select>
    </div>
  );
}
