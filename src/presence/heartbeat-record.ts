/** A heartbeat of this process that has arrived; all times in ms. */
export interface Heartbeat {
  /** When it was sent and when it was acknowledged, of a monotonic clock. */
  sentMs: number;
  acknowledgedMs: number;
  /** The time of the database between the two. */
  databaseMs: number;
}

export type ClockStep = 'forward' | 'back';

/** Smaller differences are corrections of a clock that leases tolerate. */
const MAX_DRIFT_MS = 1000;

/**
 * Remembers whether the heartbeats of this process have arrived without a gap, and whether the clock of the database went on
 * evenly between them. After an outage of the database, or when its clock was set forward, no instance has a recent heartbeat:
 * the first one that checks would presume all others dead, although they are about to send theirs.
 */
export class HeartbeatRecord {
  private last: Heartbeat | undefined;
  private judgesFromMs = Infinity;

  /**
   * @param gapMs a longer time between two heartbeats is an outage
   * @param graceMs how long the others have to send theirs after an outage or a step of the clock
   * @param startGraceMs how long they have after the start of this process, which does not know what was before
   */
  constructor(
    private readonly gapMs: number,
    private readonly graceMs: number,
    private readonly startGraceMs: number,
  ) {}

  /** @returns whether the clock of the database was set since the last heartbeat */
  record(heartbeat: Heartbeat): ClockStep | undefined {
    const { last } = this;
    this.last = heartbeat;
    const nowMs = heartbeat.acknowledgedMs;
    if (!last) {
      this.judgesFromMs = nowMs + this.startGraceMs;
      return undefined;
    }
    const step = stepBetween(last, heartbeat);
    if (step || nowMs - last.acknowledgedMs > this.gapMs) this.judgesFromMs = nowMs + this.graceMs;
    return step;
  }

  /** Whether the heartbeats of others can be relied on: not during an outage, nor shortly after one. */
  canJudgeOthers(nowMs: number): boolean {
    if (!this.last || nowMs - this.last.acknowledgedMs > this.gapMs) return false;
    return nowMs >= this.judgesFromMs;
  }

  /** The latest time that the clock of the database can show now unless it was set; before the first heartbeat none is. */
  maxDatabaseMs(nowMs: number): number {
    return this.last ? this.last.databaseMs + (nowMs - this.last.sentMs) + MAX_DRIFT_MS : -Infinity;
  }
}

/** The database read its clock at some moment between sending and acknowledgement, which can be seconds apart. */
function stepBetween(last: Heartbeat, next: Heartbeat): ClockStep | undefined {
  const elapsed = next.databaseMs - last.databaseMs;
  if (elapsed > next.acknowledgedMs - last.sentMs + MAX_DRIFT_MS) return 'forward';
  if (elapsed < next.sentMs - last.acknowledgedMs - MAX_DRIFT_MS) return 'back';
  return undefined;
}
