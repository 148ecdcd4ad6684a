/** Reads a stream in pieces of known length. It holds no more than one piece and one chunk of the stream. */
export class ByteReader {
  private readonly source: AsyncIterator<Buffer>;
  private chunk: Buffer = Buffer.alloc(0);

  constructor(content: AsyncIterable<Buffer>) {
    this.source = content[Symbol.asyncIterator]();
  }

  /** @returns the next bytes without consuming them; fewer than requested only at the end */
  async peek(length: number): Promise<Buffer> {
    if (this.chunk.length < length) {
      const chunks = [this.chunk];
      for (let total = this.chunk.length; total < length;) {
        const { done, value } = await this.source.next();
        if (done) break;
        chunks.push(value);
        total += value.length;
      }
      this.chunk = Buffer.concat(chunks);
    }
    return this.chunk.subarray(0, length);
  }

  /** @returns undefined if the content ends before */
  async read(length: number): Promise<Buffer | undefined> {
    const bytes = await this.peek(length);
    if (bytes.length < length) return undefined;
    this.chunk = this.chunk.subarray(length);
    return bytes;
  }

  /** Passes over bytes without holding them. */
  async skip(length: number): Promise<void> {
    for (let left = length; left > 0;) {
      const { length: available } = await this.peek(1);
      if (available === 0) return;
      const skipped = Math.min(left, this.chunk.length);
      this.chunk = this.chunk.subarray(skipped);
      left -= skipped;
    }
  }

  /** Releases the source of a stream that is not read to its end. */
  async close(): Promise<void> {
    await this.source.return?.();
  }
}
