import { Logger } from '@nestjs/common';

/**
 * Work that this process repeats, with `intervalMs` from the end of one run to the start of the next. A run that
 * fails is logged and does not stop the next one.
 */
export class RecurringTask {
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private hasStopped = false;

  constructor(
    name: string,
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
  ) {
    this.logger = new Logger(name);
  }

  get isStopped(): boolean {
    return this.hasStopped;
  }

  start(): void {
    if (this.hasStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.work()
        .catch((error: unknown) => this.logger.error(error, 'A run failed'))
        .finally(() => this.start());
    }, this.intervalMs);
  }

  /** Schedules no further run and waits for the current one. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
