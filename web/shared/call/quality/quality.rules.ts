import type { CallQuality } from '../call-types';
import type { StatsSample } from './stats-sample';

/** What happened between two samples. */
export interface NetworkFigures {
  rttMs: number | null;
  /** 0 to 1, the worse of both directions. */
  loss: number | null;
  /** 0 to 1, of what this side sent. */
  sentLoss: number | null;
  bitrate: number | null;
  availableBitrate: number | null;
}

const GOOD = { loss: 0.02, rttMs: 250 };
const FAIR = { loss: 0.08, rttMs: 500 };

/** Counters restart with a new connection: figures of the seconds around it are unknown. */
export function figuresBetween(before: StatsSample, after: StatsSample): NetworkFigures {
  const seconds = (after.at - before.at) / 1000;
  const bytes = after.bytesReceived + after.bytesSent - before.bytesReceived - before.bytesSent;
  const received = after.packetsReceived - before.packetsReceived;
  const lost = Math.max(0, after.packetsLost - before.packetsLost);
  const receivedLoss = received >= 0 && received + lost > 0 ? lost / (received + lost) : null;
  return {
    rttMs: after.rttMs,
    loss: worse(receivedLoss, after.sentLoss),
    sentLoss: after.sentLoss,
    bitrate: seconds > 0 && bytes >= 0 ? Math.round((bytes * 8) / seconds) : null,
    availableBitrate: after.availableBitrate,
  };
}

/** Unknown figures count as good ones. */
export function qualityOf(figures: NetworkFigures): CallQuality {
  const loss = figures.loss ?? 0;
  const rttMs = figures.rttMs ?? 0;
  const isWithin = (limit: typeof GOOD) => loss < limit.loss && rttMs < limit.rttMs;
  return {
    level: isWithin(GOOD) ? 'good' : isWithin(FAIR) ? 'fair' : 'poor',
    rtt_ms: figures.rttMs,
    loss: figures.loss === null ? null : Math.round(figures.loss * 1000) / 1000,
    bitrate: figures.bitrate,
  };
}

function worse(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.max(one, other);
}
