import { Injectable } from '@nestjs/common';

/** How far the shutdown of the service is. */
@Injectable()
export class Lifecycle {
  private hasDrainBegun = false;
  private hasShutdownBegun = false;

  /** It reports that it is not ready and closes connections with their next answer, but serves everything. */
  get isDraining(): boolean {
    return this.hasDrainBegun;
  }

  /** It accepts no new customers and sockets. */
  get isShuttingDown(): boolean {
    return this.hasShutdownBegun;
  }

  beginDrain(): void {
    this.hasDrainBegun = true;
  }

  beginShutdown(): void {
    this.hasDrainBegun = true;
    this.hasShutdownBegun = true;
  }
}
