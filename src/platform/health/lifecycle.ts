import { Injectable } from '@nestjs/common';

/** Whether the service is on its way out: then it is not ready, and nobody joins any more. */
@Injectable()
export class Lifecycle {
  private leaving = false;

  get isShuttingDown(): boolean {
    return this.leaving;
  }

  beginShutdown(): void {
    this.leaving = true;
  }
}
