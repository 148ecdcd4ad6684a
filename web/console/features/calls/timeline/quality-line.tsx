import { Text } from '@mantine/core';
import { useZone } from '../../../state/use-zone';
import { useLanguage } from '../../../texts/language';
import { formatTime } from '../../../ui/dates';
import { formatFigure } from '../../../ui/format-figure';
import { levelOf } from './quality.rules';
import { timelineTexts } from './texts/texts';
import type { QualityRun, SideReport } from './timeline.types';

const SIDES = ['customer', 'agent'] as const;

/** The quality of the connection over some minutes. */
export function QualityLine({ run }: { run: QualityRun }) {
  const { quality: texts } = timelineTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  return (
    <>
      <Text>{texts.run(formatTime(run.at, language, zone), formatTime(run.until, language, zone))}</Text>
      {SIDES.map((side) => {
        const report = run.sides[side];
        return report && <SideLine key={side} name={texts.sides[side]} report={report} />;
      })}
    </>
  );
}

function SideLine({ name, report }: { name: string; report: SideReport }) {
  return (
    <Text size="sm">
      {name}: <QualityFigures report={report} />
    </Text>
  );
}

/** How good the connection of one side was, and by which figures. */
export function QualityFigures({ report }: { report: SideReport }) {
  const { quality: texts } = timelineTexts.use();
  const language = useLanguage();
  const percent = (share: number) => formatFigure(share, 'share', language);
  const { rtt_ms, loss, max_loss, min_bitrate } = report;
  const figures = [
    rtt_ms !== null && texts.rtt(Math.round(rtt_ms)),
    loss !== null && texts.loss(percent(loss)),
    max_loss !== null && max_loss > 0 && texts.maxLoss(percent(max_loss)),
    min_bitrate !== null && texts.bitrate(Math.round(min_bitrate / 1000)),
  ];
  return (
    <>
      <strong>{texts.levels[levelOf(report)]}</strong>
      {figures.some(Boolean) && ` (${figures.filter(Boolean).join(', ')})`}
    </>
  );
}
