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
/** A connection that lasted this long ends the count of failures. */
const STABLE_AFTER_MS = 10_000;

/** Decides when to try to connect again, and how. */
export class Recovery {
  private failures = 0;
  private aliveSince: number | null = null;
  /** When the attempt under way has failed; null without one. */
  private deadline: number | null = null;

  /** An offer was sent for another reason than `tick`: it is an attempt, too. */
  began(now: number, timeoutMs = FIRST_TIMEOUT_MS): void {
    this.deadline = Math.max(this.deadline ?? 0, now + timeoutMs);
  }

  /** @returns the attempt to begin now, or null */
  tick(facts: RecoveryFacts): Attempt | null {
    if (facts.isAlive) return this.restWhileAlive(facts.now);
    this.aliveSince = null;
    if (!facts.isSocketUp) {
      // The network is gone: an attempt that it interrupted has not failed.
      this.deadline = null;
      return null;
    }
    if (this.deadline !== null && facts.now < this.deadline) return null;
    if (this.deadline !== null && facts.hasPeer) this.failures++;
    const attempt = nextAttempt(this.failures, facts.hasRelay);
    this.deadline = facts.now + (facts.hasPeer ? attempt.timeoutMs : WITHOUT_PEER_MS);
    return attempt;
  }

  private restWhileAlive(now: number): null {
    this.deadline = null;
    this.aliveSince ??= now;
    if (now - this.aliveSince >= STABLE_AFTER_MS) this.failures = 0;
    return null;
  }
}
