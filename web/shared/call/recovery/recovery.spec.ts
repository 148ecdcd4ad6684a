import { Recovery, type RecoveryFacts } from './recovery';

const FACTS: RecoveryFacts = { now: 0, isAlive: false, isSocketUp: true, hasPeer: true, hasRelay: true };

describe('Recovery', () => {
  let recovery: Recovery;
  const tick = (now: number, facts: Partial<RecoveryFacts> = {}) =>
    recovery.tick({ ...FACTS, now, ...facts });
  beforeEach(() => {
    recovery = new Recovery();
    // Connected before, as is everything that gets lost.
    tick(-60_000, { isAlive: true });
  });

  it('begins an attempt at once, and the next one when its time is over', () => {
    expect(tick(0)).toMatchObject({ kind: 'restart', relayOnly: false });
    expect(tick(4900)).toBeNull();
    expect(tick(5000)).toMatchObject({ kind: 'restart', relayOnly: false });
    expect(tick(10_000)).toMatchObject({ kind: 'restart', relayOnly: true });
    expect(tick(16_000)).toMatchObject({ kind: 'create', relayOnly: true });
    expect(tick(24_000)).toMatchObject({ kind: 'create', audioOnly: true });
  });

  it('does not disturb an offer that was sent for another reason', () => {
    recovery.began(0);
    expect(tick(5900)).toBeNull();
    expect(tick(6000)).toMatchObject({ relayOnly: false });
  });

  it('does nothing while the service is not reached, and begins as soon as it is', () => {
    tick(0);
    expect(tick(1000, { isSocketUp: false })).toBeNull();
    expect(tick(60_000, { isSocketUp: false })).toBeNull();
    expect(tick(60_100)).toMatchObject({ kind: 'restart', relayOnly: false });
  });

  it('tries seldom, and counts no failures, while the other side is away', () => {
    for (const now of [0, 10_000, 20_000, 30_000]) {
      expect(tick(now, { hasPeer: false })).toMatchObject({ kind: 'restart', relayOnly: false });
      expect(tick(now + 9900, { hasPeer: false })).toBeNull();
    }
  });

  it('leaves the other side a moment for its offer when it arrives, and then counts no failure', () => {
    tick(0, { hasPeer: false });
    expect(tick(1000)).toBeNull();
    expect(tick(3400)).toBeNull();
    expect(tick(3500)).toMatchObject({ kind: 'restart', relayOnly: false });
    expect(tick(8500)).toMatchObject({ kind: 'restart', relayOnly: false });
    expect(tick(13_500)).toMatchObject({ relayOnly: true });
  });

  it('forgets failures after 10 s with media', () => {
    for (const now of [0, 5000, 10_000]) tick(now);
    tick(11_000, { isAlive: true });
    expect(tick(20_000, { isAlive: false })).toMatchObject({ relayOnly: true });
    tick(21_000, { isAlive: true });
    tick(31_000, { isAlive: true });
    expect(tick(32_000)).toMatchObject({ relayOnly: false });
  });
});
