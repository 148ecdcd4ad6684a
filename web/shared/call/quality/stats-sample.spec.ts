import { readSample } from './stats-sample';

const report = (...stats: { type: string; id?: string; [field: string]: unknown }[]) =>
  new Map(stats.map((stat, index) => [String(index), { id: String(index), ...stat }]));

describe('readSample', () => {
  it('reads what Chromium reports', () => {
    const sample = readSample(
      report(
        { type: 'transport', bytesReceived: 5000, bytesSent: 7000, selectedCandidatePairId: '2' },
        { type: 'candidate-pair', state: 'waiting', responsesReceived: 1, currentRoundTripTime: 9 },
        {
          type: 'candidate-pair',
          responsesReceived: 4,
          currentRoundTripTime: 0.0424,
          availableOutgoingBitrate: 900_000,
        },
        { type: 'inbound-rtp', kind: 'audio', packetsReceived: 40, packetsLost: 2, bytesReceived: 100 },
        { type: 'inbound-rtp', kind: 'video', packetsReceived: 60, packetsLost: 1, bytesReceived: 900 },
        { type: 'remote-inbound-rtp', fractionLost: 0.01, roundTripTime: 0.5 },
        { type: 'remote-inbound-rtp', fractionLost: 0.04 },
      ),
      1234,
    );
    expect(sample).toEqual({
      at: 1234,
      received: 5005,
      bytesReceived: 5000,
      bytesSent: 7000,
      packetsReceived: 100,
      packetsLost: 3,
      sentLoss: 0.04,
      rttMs: 42,
      availableBitrate: 900_000,
    });
  });

  it('does without the statistics of the transport, which not every browser has', () => {
    const sample = readSample(
      report(
        { type: 'candidate-pair', nominated: true, state: 'succeeded', responsesReceived: 2 },
        { type: 'inbound-rtp', packetsReceived: 40, bytesReceived: 100 },
        { type: 'outbound-rtp', bytesSent: 300 },
        { type: 'remote-inbound-rtp', roundTripTime: 0.1 },
      ),
      0,
    );
    expect(sample).toMatchObject({
      received: 102,
      bytesReceived: 100,
      bytesSent: 300,
      rttMs: 100,
      sentLoss: null,
    });
  });

  it('is empty before anything is connected', () => {
    expect(readSample(report({ type: 'codec' }), 0)).toMatchObject({
      received: 0,
      rttMs: null,
      availableBitrate: null,
    });
  });
});
