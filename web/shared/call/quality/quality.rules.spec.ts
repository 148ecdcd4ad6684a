import { figuresBetween, qualityOf, type NetworkFigures } from './quality.rules';
import type { StatsSample } from './stats-sample';

const SAMPLE: StatsSample = {
  at: 0,
  received: 0,
  bytesReceived: 0,
  bytesSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  sentLoss: null,
  rttMs: null,
  availableBitrate: null,
};
const NONE: NetworkFigures = {
  rttMs: null,
  loss: null,
  sentLoss: null,
  bitrate: null,
  availableBitrate: null,
};

describe('figuresBetween', () => {
  it('computes loss and bitrate of both directions from the counters', () => {
    const after = {
      ...SAMPLE,
      at: 2000,
      bytesReceived: 1000,
      bytesSent: 1500,
      packetsReceived: 90,
      packetsLost: 10,
    };
    expect(figuresBetween(SAMPLE, { ...after, sentLoss: 0.05, rttMs: 80 })).toEqual({
      rttMs: 80,
      loss: 0.1,
      sentLoss: 0.05,
      bitrate: 10_000,
      availableBitrate: null,
    });
  });

  it('takes the loss that the other side reports if it is worse', () => {
    const after = { ...SAMPLE, at: 1000, packetsReceived: 100, sentLoss: 0.3 };
    expect(figuresBetween(SAMPLE, after).loss).toBe(0.3);
  });

  it('knows nothing when the counters began again, or nothing arrived', () => {
    const before = { ...SAMPLE, bytesReceived: 5000, packetsReceived: 50 };
    expect(figuresBetween(before, { ...SAMPLE, at: 1000 })).toMatchObject({ loss: null, bitrate: null });
    expect(figuresBetween(SAMPLE, { ...SAMPLE, at: 0 })).toMatchObject({ loss: null, bitrate: null });
  });

  it('does not count packets that arrived late after all', () => {
    const before = { ...SAMPLE, packetsLost: 10 };
    expect(figuresBetween(before, { ...SAMPLE, at: 1000, packetsReceived: 50, packetsLost: 5 }).loss).toBe(0);
  });
});

describe('qualityOf', () => {
  it.each([
    ['good', { loss: 0.01, rttMs: 200 }],
    ['good', {}],
    ['fair', { loss: 0.03, rttMs: 100 }],
    ['fair', { loss: 0, rttMs: 300 }],
    ['poor', { loss: 0.1, rttMs: 100 }],
    ['poor', { loss: 0, rttMs: 800 }],
  ])('%s: %j', (level, figures) => {
    expect(qualityOf({ ...NONE, ...figures }).level).toBe(level);
  });

  it('rounds for the report', () => {
    expect(qualityOf({ ...NONE, loss: 0.012345, rttMs: 80, bitrate: 1000 })).toEqual({
      level: 'good',
      loss: 0.012,
      rtt_ms: 80,
      bitrate: 1000,
    });
  });
});
