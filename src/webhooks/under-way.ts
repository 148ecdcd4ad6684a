/** How many tries one instance makes at once. Most of them wait for somebody else's answer. */
const MOST = 200;
/** How many of them are one company's, however many slow receivers it has. */
const MOST_OF_ONE = 40;

/** The tries that an instance is making. */
export class UnderWay {
  private readonly tries = new Set<Promise<void>>();
  private readonly byTenant = new Map<string, number>();

  hasRoomFor(tenantId: string): boolean {
    return this.tries.size < MOST && (this.byTenant.get(tenantId) ?? 0) < MOST_OF_ONE;
  }

  /** @param trying never rejects */
  add(tenantId: string, trying: Promise<void>): void {
    this.count(tenantId, 1);
    const entry = trying.finally(() => {
      this.tries.delete(entry);
      this.count(tenantId, -1);
    });
    this.tries.add(entry);
  }

  /** Once none is under way any more. */
  async settled(): Promise<void> {
    while (this.tries.size > 0) await Promise.race(this.tries);
  }

  private count(tenantId: string, more: number): void {
    const count = (this.byTenant.get(tenantId) ?? 0) + more;
    if (count > 0) this.byTenant.set(tenantId, count);
    else this.byTenant.delete(tenantId);
  }
}
