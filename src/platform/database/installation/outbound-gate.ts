import { Injectable } from '@nestjs/common';

/**
 * Whether the installation may send mails, webhooks and recordings to other systems. While it is paused, what is to be sent
 * waits in the database and uses up no attempts.
 */
@Injectable()
export class OutboundGate {
  private paused = false;
  private lastResumedAt: Date | null = null;
  private readonly listeners: (() => void)[] = [];

  get isPaused(): boolean {
    return this.paused;
  }

  /** The end of the last pause. What was requested until then had to wait. */
  get resumedAt(): Date | null {
    return this.lastResumedAt;
  }

  /** Calls the listener after each change of `isPaused`. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  setPaused(isPaused: boolean, resumedAt: Date | null = this.lastResumedAt): void {
    this.lastResumedAt = resumedAt;
    if (this.paused === isPaused) return;
    this.paused = isPaused;
    for (const listener of this.listeners) listener();
  }
}
