import type { MediaResult, MediaStatus } from '../../shared/call/local-media';
import type { DeviceReport } from '../../shared/socket-models';
import { useCallTexts } from '../app/app-context';
import { Icon } from '../ui/icon';

interface DeviceResultProps {
  status: MediaResult;
  /** Null while the check runs. */
  report: DeviceReport | null;
}

/** What works, in words. */
export function DeviceResult({ status, report }: DeviceResultProps) {
  const { check } = useCallTexts();
  return (
    <div role="status">
      <ul class="result">
        <Line label={check.camera} value={status.camera} />
        <Line label={check.microphone} value={status.audio} />
        {/* A check without a relay says nothing about the network. */}
        {report?.network !== null && <Line label={check.network} value={report?.network ?? null} />}
      </ul>
    </div>
  );
}

function Line({ label, value }: { label: string; value: MediaStatus | DeviceReport['network'] | null }) {
  const { check } = useCallTexts();
  const isGood = value === 'ok' || value === 'good';
  return (
    <li class={isGood ? 'result-good' : ''}>
      <Icon name={isGood ? 'check' : value === null ? 'clock' : 'info'} />
      {label}: {value === null ? check.running : check.status[value]}
    </li>
  );
}
