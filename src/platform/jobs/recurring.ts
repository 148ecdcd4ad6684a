import { Logger } from '@nestjs/common';

/**
 * Work that this process does again and again, with a pause from the end of one run to the start of the
 * next. A run that fails is logged, and the next one comes all the same.
 */
export class Recurring {
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    name: string,
    private readonly pauseMs: number,
    private readonly work: () => Promise<void>,
  ) {
    this.logger = new Logger(name);
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  start(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.work()
        .catch((error: unknown) => this.logger.error(error, 'A run failed'))
        .finally(() => this.start());
    }, this.pauseMs);
  }

  /** Starts no more runs and waits for the one under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
