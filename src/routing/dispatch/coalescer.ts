interface Slot<Item> {
  waiting: Item | undefined;
  running: Promise<void>;
}

/**
 * Runs work for a key immediately, then at most every `pauseMs`. Items that arrive in between are merged into one
 * later run, so the last change is never lost.
 */
export class Coalescer<Item> {
  private readonly slots = new Map<string, Slot<Item>>();
  private isStopped = false;

  constructor(
    private readonly pauseMs: number,
    private readonly work: (item: Item) => Promise<void>,
  ) {}

  schedule(key: string, item: Item, merge: (waiting: Item, added: Item) => Item): void {
    if (this.isStopped) return;
    const slot = this.slots.get(key);
    if (slot) {
      slot.waiting = slot.waiting === undefined ? item : merge(slot.waiting, item);
      return;
    }
    const fresh: Slot<Item> = { waiting: item, running: Promise.resolve() };
    this.slots.set(key, fresh);
    fresh.running = this.run(key, fresh);
  }

  /** Accepts no more items and waits for the current runs. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.slots.values()].map((slot) => slot.running));
  }

  private async run(key: string, slot: Slot<Item>): Promise<void> {
    while (slot.waiting !== undefined && !this.isStopped) {
      const item = slot.waiting;
      slot.waiting = undefined;
      await this.work(item);
      await this.pause();
    }
    this.slots.delete(key);
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.isStopped ? 0 : this.pauseMs));
  }
}
