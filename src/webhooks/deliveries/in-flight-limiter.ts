/** How many tries one instance makes at once. Most of them wait for somebody else's answer. */
const MOST = 200;
/** How many of them are one company's, however many slow receivers it has. */
const MOST_OF_ONE = 40;

/** The tries that an instance is making, each in a place that was taken before its delivery was claimed. */
export class InFlightLimiter {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();
  private readonly work = new Set<Promise<void>>();

  /** @returns how many places the company got, of those it wanted */
  take(tenantId: string, wanted: number): number {
    const places = Math.max(0, Math.min(wanted, MOST - this.taken, MOST_OF_ONE - this.of(tenantId)));
    this.count(tenantId, places);
    return places;
  }

  giveBack(tenantId: string, places: number): void {
    this.count(tenantId, -places);
  }

  /** Has `settled` wait for it. @param work never rejects */
  follow(work: Promise<void>): void {
    const entry = work.finally(() => this.work.delete(entry));
    this.work.add(entry);
  }

  /** Once nothing is under way any more. */
  async settled(): Promise<void> {
    while (this.work.size > 0) await Promise.race(this.work);
  }

  private of(tenantId: string): number {
    return this.takenBy.get(tenantId) ?? 0;
  }

  private count(tenantId: string, more: number): void {
    const places = this.of(tenantId) + more;
    this.taken += more;
    if (places > 0) this.takenBy.set(tenantId, places);
    else this.takenBy.delete(tenantId);
  }
}
