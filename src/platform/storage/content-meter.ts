import { createHash } from 'node:crypto';

/** Measures content on its way, and remembers whether it was the content that failed, not where it goes. */
export class ContentMeter {
  /** Bytes. */
  size = 0;
  failure: unknown;
  private readonly hash = createHash('sha256');

  /** Gives what `content` gives. Once it has ended, size and digest are those of the whole. */
  async *measure(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let handedOver = false;
    try {
      for await (const chunk of content) {
        this.size += chunk.length;
        this.hash.update(chunk);
        // A consumer that fails says so here: streams throw their error into what they read from.
        handedOver = true;
        yield chunk;
        handedOver = false;
      }
    } catch (error) {
      if (!handedOver) this.failure = error;
      throw error;
    }
  }

  /** Lower-case hex, once. */
  digest(): string {
    return this.hash.digest('hex');
  }
}
