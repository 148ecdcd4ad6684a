import { Injectable } from '@nestjs/common';

/**
 * Turns of the event loop, of which the client addresses get one after another. What a client address sends at once would otherwise
 * be handled in one turn, or before everything that came later.
 */
@Injectable()
export class FairTurns {
  /** Those who wait, by address. The address that has waited for a turn the longest comes first. */
  private readonly lines = new Map<string, (() => void)[]>();
  private isTaken = false;

  /** Waits for a turn: not at all unless another one has begun in this turn of the event loop or waits already. */
  async next(address: string): Promise<void> {
    if (!this.isTaken) return this.begin();
    await new Promise<void>((resolve) => {
      const line = this.lines.get(address);
      if (line) line.push(resolve);
      else this.lines.set(address, [resolve]);
    });
  }

  /** How many of the address wait for a turn. */
  waiting(address: string): number {
    return this.lines.get(address)?.length ?? 0;
  }

  private begin(): void {
    this.isTaken = true;
    setImmediate(() => this.goOn());
  }

  private goOn(): void {
    this.isTaken = false;
    const [first] = this.lines;
    if (!first) return;
    const [address, line] = first;
    const resolve = line.shift();
    this.lines.delete(address);
    // Behind the other addresses.
    if (line.length > 0) this.lines.set(address, line);
    this.begin();
    resolve?.();
  }
}
