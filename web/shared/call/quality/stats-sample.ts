/** The counters of one moment, as far as this browser has them. */
export interface StatsSample {
  /** Milliseconds. */
  at: number;
  /** Grows while media or answers to this side's ICE checks arrive. */
  received: number;
  bytesReceived: number;
  bytesSent: number;
  packetsReceived: number;
  packetsLost: number;
  /** 0 to 1, of what this side sent, as the other side reports it. */
  sentLoss: number | null;
  rttMs: number | null;
  /** Bits per second that the browser believes it can send. */
  availableBitrate: number | null;
}

interface Stat {
  type: string;
  id: string;
  [field: string]: unknown;
}

/** @param report of `RTCPeerConnection.getStats()`: W3C webrtc-stats; browsers lack different fields of it */
export function readSample(report: Iterable<[string, unknown]>, at: number): StatsSample {
  const stats = Array.from(report, ([, stat]) => stat as Stat);
  const of = (type: string) => stats.filter((stat) => stat.type === type);
  const inbound = of('inbound-rtp');
  const transports = of('transport');
  const pairs = of('candidate-pair');
  const selected =
    pairs.find((pair) => transports.some((transport) => transport['selectedCandidatePairId'] === pair.id)) ??
    pairs.find((pair) => pair['nominated'] === true && pair['state'] === 'succeeded');
  const bytesReceived = Math.max(sum(transports, 'bytesReceived'), sum(inbound, 'bytesReceived'));
  return {
    at,
    received: bytesReceived + sum(pairs, 'responsesReceived'),
    bytesReceived,
    bytesSent: Math.max(sum(transports, 'bytesSent'), sum(of('outbound-rtp'), 'bytesSent')),
    packetsReceived: sum(inbound, 'packetsReceived'),
    packetsLost: sum(inbound, 'packetsLost'),
    sentLoss: highest(of('remote-inbound-rtp'), 'fractionLost'),
    rttMs: milliseconds(
      numberOf(selected, 'currentRoundTripTime') ?? highest(of('remote-inbound-rtp'), 'roundTripTime'),
    ),
    availableBitrate: numberOf(selected, 'availableOutgoingBitrate'),
  };
}

function numberOf(stat: Stat | undefined, field: string): number | null {
  const value = stat?.[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function sum(stats: Stat[], field: string): number {
  return stats.reduce((total, stat) => total + (numberOf(stat, field) ?? 0), 0);
}

function highest(stats: Stat[], field: string): number | null {
  const values = stats.map((stat) => numberOf(stat, field)).filter((value) => value !== null);
  return values.length > 0 ? Math.max(...values) : null;
}

function milliseconds(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1000);
}
