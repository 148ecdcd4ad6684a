import { Semaphore } from './semaphore';

interface TenantLimit {
  semaphore: Semaphore;
  /** Places that are held or waited for. */
  userCount: number;
}

/** A limit for each tenant, which exists only while the tenant uses it. */
export class TenantLimits {
  private readonly limits = new Map<string, TenantLimit>();

  /** @param placeCount of each tenant; @param busyMessage of the error when none becomes free */
  constructor(
    private readonly placeCount: number,
    private readonly busyMessage: string,
  ) {}

  /**
   * Waits for one of the tenant's places.
   * @returns a function that frees it
   * @throws ConnectionLimitError after waitMs
   */
  async acquire(tenantId: string, waitMs: number): Promise<() => void> {
    const limit = this.limits.get(tenantId) ?? {
      semaphore: new Semaphore(this.placeCount, this.busyMessage),
      userCount: 0,
    };
    this.limits.set(tenantId, limit);
    limit.userCount++;
    const leave = () => {
      if (--limit.userCount === 0) this.limits.delete(tenantId);
    };
    try {
      const release = await limit.semaphore.acquire(undefined, waitMs);
      return () => {
        release();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
