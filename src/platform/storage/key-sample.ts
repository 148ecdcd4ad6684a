const BATCH_SIZE = 1000;
const MAX_KEYS = 100;

/** Counts keys after they were confirmed in batches, and keeps the first of them. */
export class KeySample {
  /** The confirmed keys so far; all of them after `flush`. */
  count = 0;
  /** The first confirmed keys, at most 100. */
  readonly keys: string[] = [];
  private batch: string[] = [];

  constructor(private readonly confirm: (keys: string[]) => Promise<string[]>) {}

  async add(key: string): Promise<void> {
    this.batch.push(key);
    if (this.batch.length === BATCH_SIZE) await this.flush();
  }

  /** Confirms the rest. */
  async flush(): Promise<void> {
    if (this.batch.length === 0) return;
    const confirmed = await this.confirm(this.batch);
    this.batch = [];
    this.count += confirmed.length;
    this.keys.push(...confirmed.slice(0, MAX_KEYS - this.keys.length));
  }
}
