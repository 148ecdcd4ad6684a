import { ConnectionLimitError, Semaphore } from './semaphore';

interface KeyUse {
  semaphore: Semaphore;
  /** Places that are held or waited for. */
  userCount: number;
}

/** A semaphore for each key, such as a tenant, which exists only while it is used. */
export class KeyedSemaphore {
  private readonly uses = new Map<string, KeyUse>();

  /**
   * @param placeCount of each key; @param busyMessage of the error when none becomes free
   * @param maxUsers how many may hold or wait for the places of a key
   */
  constructor(
    private readonly placeCount: number,
    private readonly busyMessage: string,
    private readonly maxUsers = Infinity,
  ) {}

  /** How many hold or wait for the places of the key. */
  usersOf(key: string): number {
    return this.uses.get(key)?.userCount ?? 0;
  }

  /**
   * Waits for one of the key's places, first come, first served.
   * @returns a function that frees it; further calls of it do nothing
   * @throws ConnectionLimitError after waitMs, and at once when maxUsers is reached; the signal's reason
   */
  async acquire(key: string, waitMs: number, signal?: AbortSignal): Promise<() => void> {
    const use = this.uses.get(key) ?? {
      semaphore: new Semaphore(this.placeCount, this.busyMessage),
      userCount: 0,
    };
    if (this.usersOf(key) >= this.maxUsers) throw new ConnectionLimitError(this.busyMessage);
    this.uses.set(key, use);
    use.userCount++;
    let isUser = true;
    const leave = () => {
      if (isUser && --use.userCount === 0) this.uses.delete(key);
      isUser = false;
    };
    try {
      const release = await use.semaphore.acquire(signal, waitMs);
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
