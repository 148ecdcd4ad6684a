import { createHash } from 'node:crypto';

/**
 * Measures content while it is streamed, and records whether the content failed rather than its destination.
 */
export class ContentMeter {
  /** Bytes. */
  size = 0;
  /** The error of the content, if it failed. */
  failure: unknown;
  private readonly hash = createHash('sha256');

  /** Passes `content` through. When it has ended, size and digest are those of the whole content. */
  async *measure(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let isYielding = false;
    try {
      for await (const chunk of content) {
        this.size += chunk.length;
        this.hash.update(chunk);
        // Streams throw the error of a failed destination into the generator at its yield.
        isYielding = true;
        yield chunk;
        isYielding = false;
      }
    } catch (error) {
      if (!isYielding) this.failure = error;
      throw error;
    }
  }

  /** SHA-256 in lower-case hex. Call it once, after the content has ended. */
  digest(): string {
    return this.hash.digest('hex');
  }
}
