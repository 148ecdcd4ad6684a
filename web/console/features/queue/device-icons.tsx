import type { DeviceReport } from '../../../shared/socket';
import { queueTexts } from './texts/texts';
import type { QueueTexts } from './texts/en';

/** Lines of 24 × 24 units. */
const PATHS = {
  camera: 'M4.5 6.5h9a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM15.5 10.5l6-3v9l-6-3',
  microphone:
    'M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3ZM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21M8.5 21h7',
  network: 'M4 19v-3M9.300 19v-6.500M14.700 19V9M20 19V5',
  relay: 'M4 12h16M8 8l-4 4 4 4M16 8l4 4-4 4',
} as const;
const CROSSED_OUT = 'M3 3l18 18';

type Level = 'good' | 'fair' | 'bad';
interface Finding {
  icon: keyof typeof PATHS;
  level: Level;
  text: string;
}

/** What the check of the customer's devices has found: each icon has its text, and what does not work is crossed out. */
export function DeviceIcons({ report }: { report: DeviceReport | null }) {
  const texts = queueTexts.use();
  if (!report) return null;
  return (
    <span role="group" aria-label={texts.devices.label} className="devices" data-testid="device-report">
      {findings(report, texts.devices).map(({ icon, level, text }) => (
        <span key={icon} className="device" data-text={text}>
          <svg viewBox="0 0 24 24" role="img" aria-label={text} data-level={level}>
            <path d={PATHS[icon]} />
            {level === 'bad' && <path d={CROSSED_OUT} />}
          </svg>
        </span>
      ))}
    </span>
  );
}

/** What was not measured is left out. */
function findings(report: DeviceReport, texts: QueueTexts['devices']): Finding[] {
  const { camera, microphone, network, relay } = report;
  const found: Finding[] = [
    { icon: 'camera', level: camera === 'ok' ? 'good' : 'bad', text: texts.camera[camera] },
    { icon: 'microphone', level: microphone === 'ok' ? 'good' : 'bad', text: texts.microphone[microphone] },
  ];
  if (network) {
    const level = network === 'poor' ? 'bad' : network;
    found.push({ icon: 'network', level, text: texts.network[network] });
  }
  if (relay !== null) {
    found.push({
      icon: 'relay',
      level: relay ? 'good' : 'bad',
      text: relay ? texts.relay.yes : texts.relay.no,
    });
  }
  return found;
}
