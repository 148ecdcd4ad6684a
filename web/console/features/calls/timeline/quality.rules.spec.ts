import { levelOf, sumUpQuality } from './quality.rules';
import type { TimelineEntry } from './timeline.types';

const entry = (at: string, type: string, more = {}): TimelineEntry => ({
  at,
  type,
  user_id: null,
  user_name: null,
  ...more,
});
const report = (at: string, participant: string, figures = {}) =>
  entry(at, 'quality_report', {
    participant,
    samples: 1,
    rtt_ms: 100,
    loss: 0,
    max_loss: 0,
    min_bitrate: 1000,
    ...figures,
  });

describe('sumUpQuality', () => {
  it('leaves other entries as they are', () => {
    const entries = [entry('1', 'joined'), entry('2', 'started')];
    expect(sumUpQuality(entries)).toEqual(entries);
  });

  it('sums up a run by side, with means by reports and the worst figures', () => {
    const entries = [
      report('1', 'customer'),
      report('1', 'agent', { rtt_ms: null, min_bitrate: null }),
      report('2', 'customer', { samples: 3, rtt_ms: 300, loss: 0.04, max_loss: 0.2, min_bitrate: 500 }),
    ];
    expect(sumUpQuality(entries)).toEqual([
      {
        type: 'quality',
        at: '1',
        until: '2',
        sides: {
          customer: { samples: 4, rtt_ms: 250, loss: 0.03, max_loss: 0.2, min_bitrate: 500 },
          agent: { samples: 1, rtt_ms: null, loss: 0, max_loss: 0, min_bitrate: null },
        },
      },
    ]);
  });

  it('begins another run after something else has happened', () => {
    const items = sumUpQuality([report('1', 'agent'), entry('2', 'peer_disconnected'), report('3', 'agent')]);
    expect(items.map(({ type, at }) => [type, at])).toEqual([
      ['quality', '1'],
      ['peer_disconnected', '2'],
      ['quality', '3'],
    ]);
  });
});

describe('levelOf', () => {
  it.each([
    [{ loss: 0.01, rtt_ms: 100 }, 'good'],
    [{ loss: 0.02, rtt_ms: 100 }, 'fair'],
    [{ loss: 0, rtt_ms: 499 }, 'fair'],
    [{ loss: 0.08, rtt_ms: 100 }, 'poor'],
    [{ loss: null, rtt_ms: null }, 'good'],
  ])('%j is %s', (figures, level) => {
    expect(levelOf(figures)).toBe(level);
  });
});
