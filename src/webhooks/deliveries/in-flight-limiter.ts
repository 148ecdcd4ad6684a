/** Attempts that one instance makes at once. Most of them wait for a response. */
const MAX_IN_FLIGHT = 200;
/** Attempts of one tenant at once, so that its slow receivers leave room for other tenants. */
const MAX_IN_FLIGHT_PER_TENANT = 40;

/** Limits the attempts in flight of an instance. A place is acquired before a delivery is claimed. */
export class InFlightLimiter {
  private acquired = 0;
  private readonly acquiredBy = new Map<string, number>();
  private readonly work = new Set<Promise<void>>();

  /** @returns how many of the wanted places the tenant got */
  acquire(tenantId: string, wanted: number): number {
    const left = Math.min(MAX_IN_FLIGHT - this.acquired, MAX_IN_FLIGHT_PER_TENANT - this.countOf(tenantId));
    const places = Math.max(0, Math.min(wanted, left));
    this.add(tenantId, places);
    return places;
  }

  release(tenantId: string, places: number): void {
    this.add(tenantId, -places);
  }

  /** Makes `whenIdle` wait for the work. @param work never rejects */
  track(work: Promise<void>): void {
    const entry = work.finally(() => this.work.delete(entry));
    this.work.add(entry);
  }

  /** Resolves once all tracked work has ended, including work that is tracked meanwhile. */
  async whenIdle(): Promise<void> {
    while (this.work.size > 0) await Promise.race(this.work);
  }

  private countOf(tenantId: string): number {
    return this.acquiredBy.get(tenantId) ?? 0;
  }

  private add(tenantId: string, places: number): void {
    const count = this.countOf(tenantId) + places;
    this.acquired += places;
    if (count > 0) this.acquiredBy.set(tenantId, count);
    else this.acquiredBy.delete(tenantId);
  }
}
