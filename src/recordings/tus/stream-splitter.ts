/**
 * Splits a stream into parts, each a stream itself. Only peeked bytes are held in memory. If the stream fails, the part
 * ends normally with what was received, and `failure` has the error.
 */
export class StreamSplitter {
  failure: unknown;
  private readonly source: AsyncIterator<Buffer>;
  private buffered: Buffer[] = [];
  private hasEnded = false;

  /** @param partBytes maximum size of a part */
  constructor(
    content: AsyncIterable<Buffer>,
    private readonly partBytes: number,
  ) {
    this.source = content[Symbol.asyncIterator]();
  }

  /** Returns the next bytes without consuming them; fewer than requested only at the end. */
  async peek(bytes: number): Promise<Buffer> {
    let length = this.buffered.reduce((sum, chunk) => sum + chunk.length, 0);
    for (let chunk; length < bytes && (chunk = await this.pull()); length += chunk.length) {
      this.buffered.push(chunk);
    }
    return Buffer.concat(this.buffered).subarray(0, bytes);
  }

  async isAtEnd(): Promise<boolean> {
    return (await this.peek(1)).length === 0;
  }

  /** The next part. Read it to its end before requesting another. */
  async *nextPart(): AsyncGenerator<Buffer> {
    for (let left = this.partBytes; left > 0;) {
      const chunk = this.buffered.shift() ?? (await this.pull());
      if (!chunk) return;
      const taken = chunk.subarray(0, left);
      if (taken.length < chunk.length) this.buffered.unshift(chunk.subarray(taken.length));
      left -= taken.length;
      yield taken;
    }
  }

  private async pull(): Promise<Buffer | undefined> {
    if (this.hasEnded) return undefined;
    try {
      const { done, value } = await this.source.next();
      if (!done) return value;
    } catch (error) {
      this.failure = error;
    }
    this.hasEnded = true;
    return undefined;
  }
}
