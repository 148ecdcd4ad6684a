import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';

/**
 * Runs listeners without their caller waiting for them: a request is answered when its change is committed. Work of the
 * same key runs in the order of the calls, so that messages about a record are sent in the order of its changes.
 */
@Injectable()
export class BackgroundListeners implements BeforeApplicationShutdown {
  private readonly logger = new Logger(BackgroundListeners.name);
  /** The last work of each key that has not ended. */
  private readonly running = new Map<string, Promise<void>>();

  /** Starts the work at once if none of the same key is running. A failure is logged. */
  run(key: string, work: () => Promise<void>): void {
    const previous = this.running.get(key);
    const current = (previous ? previous.then(work) : work())
      .catch((error: unknown) => this.logger.error(error, 'A listener failed after commit'))
      .finally(() => {
        if (this.running.get(key) === current) this.running.delete(key);
      });
    this.running.set(key, current);
  }

  /** Waits until all work has ended, also work that other work starts. */
  async waitUntilIdle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  /** Runs after requests and recurring tasks have ended, and before the database is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.waitUntilIdle();
  }
}
