/**
 * Remembers whether the heartbeats of this process have arrived without a gap. After an outage of the database no instance has
 * a recent heartbeat: the first one that checks would presume all others dead, although they are about to send theirs.
 */
export class HeartbeatRecord {
  private lastMs: number | undefined;
  private steadySinceMs = -Infinity;

  /**
   * @param gapMs a longer time between two heartbeats is an outage
   * @param graceMs how long the others have to send theirs after it
   */
  constructor(
    private readonly gapMs: number,
    private readonly graceMs: number,
  ) {}

  /** @param nowMs of a monotonic clock, when a heartbeat has arrived */
  record(nowMs: number): void {
    if (this.lastMs !== undefined && nowMs - this.lastMs > this.gapMs) this.steadySinceMs = nowMs;
    this.lastMs = nowMs;
  }

  /** Whether the heartbeats of others can be relied on: not during an outage, nor shortly after one. */
  canJudgeOthers(nowMs: number): boolean {
    if (this.lastMs === undefined || nowMs - this.lastMs > this.gapMs) return false;
    return nowMs - this.steadySinceMs >= this.graceMs;
  }
}
