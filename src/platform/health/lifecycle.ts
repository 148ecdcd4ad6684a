import { Injectable } from '@nestjs/common';

/**
 * Whether the service is shutting down: it then reports that it is not ready and accepts no new customers.
 */
@Injectable()
export class Lifecycle {
  private hasShutdownBegun = false;

  get isShuttingDown(): boolean {
    return this.hasShutdownBegun;
  }

  beginShutdown(): void {
    this.hasShutdownBegun = true;
  }
}
