import { nextAttempt, type Attempt } from './reconnection.rules';

export interface RecoveryFacts {
  now: number;
  isAlive: boolean;
  /** The service is reached, so signals can be sent. */
  isSocketUp: boolean;
  /** The other side's signals arrive, as far as is known. */
  hasPeer: boolean;
  hasRelay: boolean;
}

/** The first connection is made without an attempt of this class, unless it takes this long. */
const FIRST_TIMEOUT_MS = 6000;
/** A lost `peer_ready` must not end all attempts. */
const WITHOUT_PEER_MS = 10_000;
/** The agent's offer follows the other side's arrival. */
const PEER_TIMEOUT_MS = 2500;
/** A connection that lasted this long ends the count of failures. */
const STABLE_AFTER_MS = 10_000;

/** Decides when to try to connect again, and how. */
export class Recovery {
  private failures = 0;
  private aliveSince: number | null = null;
  private hadPeer = false;
  /** What is under way, and whether it has failed if nothing arrives until then. */
  private pending: { deadline: number; counts: boolean } | null = null;

  /** An offer was sent for another reason than `tick`: it is an attempt, too. */
  began(now: number): void {
    this.pending = { deadline: Math.max(this.pending?.deadline ?? 0, now + FIRST_TIMEOUT_MS), counts: true };
  }

  /** @returns the attempt to begin now, or null */
  tick(facts: RecoveryFacts): Attempt | null {
    const hasNewPeer = facts.hasPeer && !this.hadPeer;
    this.hadPeer = facts.hasPeer;
    if (facts.isAlive) return this.restWhileAlive(facts.now);
    this.aliveSince = null;
    // Without the service nothing can be tried, so what it interrupted has not failed.
    if (!facts.isSocketUp) this.pending = null;
    else if (hasNewPeer && !this.pending?.counts) {
      this.pending = { deadline: facts.now + PEER_TIMEOUT_MS, counts: false };
    }
    const isWaiting = this.pending !== null && facts.now < this.pending.deadline;
    return facts.isSocketUp && !isWaiting ? this.begin(facts) : null;
  }

  private begin({ now, hasPeer, hasRelay }: RecoveryFacts): Attempt {
    if (this.pending?.counts && hasPeer) this.failures++;
    const attempt = nextAttempt(this.failures, hasRelay);
    this.pending = { deadline: now + (hasPeer ? attempt.timeoutMs : WITHOUT_PEER_MS), counts: hasPeer };
    return attempt;
  }

  private restWhileAlive(now: number): null {
    this.pending = null;
    this.aliveSince ??= now;
    if (now - this.aliveSince >= STABLE_AFTER_MS) this.failures = 0;
    return null;
  }
}
