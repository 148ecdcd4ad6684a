/**
 * Cuts a stream into parts, each of them a stream again: no more is in memory than what is looked at. A stream
 * that fails ends its part instead of spoiling it; `failure` tells of it afterwards.
 */
export class PartCutter {
  failure: unknown;
  private readonly source: AsyncIterator<Buffer>;
  private held: Buffer[] = [];
  private ended = false;

  /** @param size bytes of a part at the most */
  constructor(
    content: AsyncIterable<Buffer>,
    private readonly size: number,
  ) {
    this.source = content[Symbol.asyncIterator]();
  }

  /** The next bytes, which stay where they are: fewer than asked for only at the end. */
  async peek(bytes: number): Promise<Buffer> {
    let length = this.held.reduce((sum, chunk) => sum + chunk.length, 0);
    for (let chunk; length < bytes && (chunk = await this.pull()); length += chunk.length) {
      this.held.push(chunk);
    }
    return Buffer.concat(this.held).subarray(0, bytes);
  }

  async isAtEnd(): Promise<boolean> {
    return (await this.peek(1)).length === 0;
  }

  /** The next part. Read it to its end before the one after it. */
  async *part(): AsyncGenerator<Buffer> {
    for (let left = this.size; left > 0;) {
      const chunk = this.held.shift() ?? (await this.pull());
      if (!chunk) return;
      const taken = chunk.subarray(0, left);
      if (taken.length < chunk.length) this.held.unshift(chunk.subarray(taken.length));
      left -= taken.length;
      yield taken;
    }
  }

  private async pull(): Promise<Buffer | undefined> {
    if (this.ended) return undefined;
    try {
      const { done, value } = await this.source.next();
      if (!done) return value;
    } catch (error) {
      this.failure = error;
    }
    this.ended = true;
    return undefined;
  }
}
