import { adapt, audioOnly, isAudioOnly, startAdaptation, type Adaptation } from './adaptation.rules';
import type { NetworkFigures } from './quality.rules';
import { LAST_STEP, limitsAt } from './send-limits';

const GOOD: NetworkFigures = {
  rttMs: 50,
  loss: 0,
  sentLoss: 0,
  bitrate: 1_000_000,
  availableBitrate: 5_000_000,
};
const LOSSY = { ...GOOD, sentLoss: 0.2 };
const SLOW = { ...GOOD, rttMs: 1500 };
const NARROW = { ...GOOD, availableBitrate: 50_000 };
const MEDIOCRE = { ...GOOD, sentLoss: 0.05 };
const UNKNOWN: NetworkFigures = {
  rttMs: null,
  loss: null,
  sentLoss: null,
  bitrate: null,
  availableBitrate: null,
};

/** One sample a second. */
function run(adaptation: Adaptation, figures: NetworkFigures, seconds: number): Adaptation {
  let { changedAt: at } = adaptation;
  let current = adaptation;
  const end = at + seconds * 1000;
  while (at < end) current = adapt(current, figures, (at += 1000));
  return current;
}

describe('adapt', () => {
  it.each([
    ['loss', LOSSY],
    ['a long round trip', SLOW],
    ['little bandwidth', NARROW],
  ])('takes a step down after 3 s of %s, but not at the beginning', (_, figures) => {
    const start = startAdaptation(0);
    expect(run(start, figures, 7).step).toBe(0);
    expect(run(start, figures, 8).step).toBe(1);
  });

  it.each([
    ['a good network', GOOD],
    ['unknown figures', UNKNOWN],
    ['a little loss', MEDIOCRE],
  ])('keeps the best picture with %s', (_, figures) => {
    expect(run(startAdaptation(0), figures, 60).step).toBe(0);
  });

  it('takes two steps at once when sound suffers, too', () => {
    const lowered = run(startAdaptation(0), { ...GOOD, sentLoss: 0.4 }, 8);
    expect(lowered.step).toBe(2);
    expect(run(lowered, { ...GOOD, sentLoss: 0.4 }, 4).step).toBe(2);
    expect(run(lowered, { ...GOOD, sentLoss: 0.4 }, 5).step).toBe(LAST_STEP);
  });

  it('forgets a bad moment', () => {
    const afterLoss = run(startAdaptation(0), LOSSY, 6);
    const recovered = [7000, 8000, 9000].reduce((state, at) => adapt(state, GOOD, at), afterLoss);
    expect(adapt(recovered, LOSSY, 10_000).step).toBe(0);
  });

  it('takes a step down although two reports of a bad network have no loss', () => {
    const afterLoss = run(startAdaptation(0), LOSSY, 6);
    const lucky = [7000, 8000].reduce((state, at) => adapt(state, GOOD, at), afterLoss);
    expect(adapt(lucky, LOSSY, 9000).step).toBe(1);
  });

  it('takes a step down although a single report of a bad network has no loss', () => {
    const afterLoss = run(startAdaptation(0), LOSSY, 7);
    expect(adapt(afterLoss, GOOD, 8000).step).toBe(1);
  });

  it('ends with audio only, and stays there while the network is bad', () => {
    let adaptation = startAdaptation(0);
    for (let i = 0; i < 10; i++) adaptation = run(adaptation, LOSSY, 8);
    expect(isAudioOnly(adaptation)).toBe(true);
  });

  it('comes back by a step every 8 s of a good network', () => {
    let adaptation = startAdaptation(0, LAST_STEP);
    for (let step = LAST_STEP - 1; step >= 0; step--) {
      adaptation = run(adaptation, GOOD, 14);
      expect(adaptation.step).toBe(step);
    }
  });

  it('does not come back while the bandwidth would not carry more', () => {
    expect(run(startAdaptation(0, 2), { ...GOOD, availableBitrate: 160_000 }, 60).step).toBe(2);
  });

  it('tries video again without knowing the bandwidth, which cannot be estimated from sound alone', () => {
    expect(run(startAdaptation(0, LAST_STEP), NARROW, 14).step).toBe(LAST_STEP - 1);
  });

  it('waits twice as long after each step up that failed at once', () => {
    const raised = run(startAdaptation(0, 2), GOOD, 14);
    expect(raised).toMatchObject({ step: 1, raiseDelayMs: 8000 });
    const failed = run(raised, LOSSY, 6);
    expect(failed).toMatchObject({ step: 2, raiseDelayMs: 16_000 });
    expect(run(failed, GOOD, 17).step).toBe(2);
    expect(run(failed, GOOD, 18).step).toBe(1);
  });

  it('takes the sound-only attempt of a reconnection as its state', () => {
    expect(isAudioOnly(audioOnly(startAdaptation(0), 1000))).toBe(true);
  });
});

describe('limitsAt', () => {
  it('sends less with each step: smaller, then fewer pictures, then none', () => {
    const steps = Array.from({ length: LAST_STEP + 1 }, (_, step) => limitsAt(step, false).camera);
    expect(steps.map((limit) => limit && [limit.scale, limit.framerate])).toEqual([
      [1, 30],
      [2, 30],
      [4, 30],
      [4, 12],
      null,
    ]);
  });

  it('gives the camera less beside a shared screen, which keeps its resolution', () => {
    expect(limitsAt(0, true).camera).toEqual(limitsAt(1, false).camera);
    expect(limitsAt(2, true).screen).toMatchObject({ scale: 1 });
    expect(limitsAt(3, true).camera).toBeNull();
    expect(limitsAt(LAST_STEP, true)).toEqual({ camera: null, screen: null });
  });
});
