import { qualityOf } from '../call/quality/quality.rules';

export interface RelayMeasurement {
  /** Whether the relay was reached at all. */
  isConnected: boolean;
  sent: number;
  /** Round trips in milliseconds of the packets that came back. */
  roundTrips: number[];
}

/** Fewer packets say nothing. */
const MIN_PACKETS = 20;

/** @returns null if too little was sent. Packets of a check cross the network twice, once more than those of a call. */
export function networkLevel({ sent, roundTrips }: RelayMeasurement): 'good' | 'fair' | 'poor' | null {
  if (sent < MIN_PACKETS) return null;
  const delivered = Math.sqrt(Math.min(1, roundTrips.length / sent));
  return qualityOf({
    rttMs: median(roundTrips),
    loss: 1 - delivered,
    sentLoss: null,
    bitrate: null,
    availableBitrate: null,
  }).level;
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
