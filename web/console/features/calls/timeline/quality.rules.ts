import type { QualityRun, Side, SideReport, TimelineEntry, TimelineItem } from './timeline.types';

const GOOD = { loss: 0.02, rtt_ms: 250 };
const FAIR = { loss: 0.08, rtt_ms: 500 };

/** @returns the entries, with each run of reports of the quality summed up as one */
export function sumUpQuality(entries: readonly TimelineEntry[]): TimelineItem[] {
  const items: TimelineItem[] = [];
  let run: QualityRun | null = null;
  for (const entry of entries) {
    if (entry.type !== 'quality_report') {
      run = null;
      items.push(entry);
      continue;
    }
    if (!run) items.push((run = { type: 'quality', at: entry.at, until: entry.at, sides: {} }));
    run.until = entry.at;
    const side = entry['participant'] as Side;
    run.sides[side] = together(run.sides[side], entry as unknown as SideReport);
  }
  return items;
}

/** @returns the means of both, by the number of their reports, and the worst figures of both */
function together(one: SideReport | undefined, other: SideReport): SideReport {
  const { rtt_ms, loss, max_loss, min_bitrate, samples } = other;
  if (!one) return { rtt_ms, loss, max_loss, min_bitrate, samples };
  const mean = (field: 'rtt_ms' | 'loss') => {
    const known = [one, other].filter((report) => report[field] !== null);
    const count = known.reduce((sum, report) => sum + report.samples, 0);
    return count === 0
      ? null
      : known.reduce((sum, report) => sum + (report[field] ?? 0) * report.samples, 0) / count;
  };
  return {
    rtt_ms: mean('rtt_ms'),
    loss: mean('loss'),
    max_loss: extreme(Math.max, one.max_loss, max_loss),
    min_bitrate: extreme(Math.min, one.min_bitrate, min_bitrate),
    samples: one.samples + samples,
  };
}

function extreme(of: typeof Math.max, one: number | null, other: number | null): number | null {
  const known = [one, other].filter((value) => value !== null);
  return known.length === 0 ? null : of(...known);
}

/** What the figures mean for a conversation; unknown figures count as good ones. */
export function levelOf({ loss, rtt_ms }: Pick<SideReport, 'loss' | 'rtt_ms'>): 'good' | 'fair' | 'poor' {
  const isWithin = (limit: typeof GOOD) => (loss ?? 0) < limit.loss && (rtt_ms ?? 0) < limit.rtt_ms;
  return isWithin(GOOD) ? 'good' : isWithin(FAIR) ? 'fair' : 'poor';
}
