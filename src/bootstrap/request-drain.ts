import type { Server, ServerResponse } from 'node:http';
import type { Lifecycle } from '../platform/http/lifecycle';

/** Longer than a regular request takes; a stalled client must not delay the shutdown further. */
const DRAIN_TIMEOUT_MS = 10_000;

/** How many of the requests that began in one period are open. */
interface Period {
  openCount: number;
  onIdle: () => void;
}

/**
 * Counts open requests, so that the shutdown can wait for them while the service still accepts requests.
 *
 * A set of responses would keep garbage: each time V8 replaces the table of a set, the former one refers to the new one.
 * Once a table is in the old generation, minor collections keep all later ones, with the requests that were in them.
 */
export class RequestDrain {
  private period = newPeriod();

  constructor(private readonly lifecycle: Lifecycle) {}

  /** Call it before the server listens: the Socket.IO server hides its requests from listeners added later. */
  watch(server: Server): void {
    server.on('request', (_request, response: ServerResponse) => {
      // A proxy that keeps the connection would send its next request when the service has closed.
      if (this.lifecycle.isDraining) response.shouldKeepAlive = false;
      const { period } = this;
      period.openCount++;
      response.once('close', () => {
        if (--period.openCount === 0) period.onIdle();
      });
    });
  }

  /**
   * Waits until every request that is open now has been answered or its client has disconnected. It is called once: a
   * second call would wait only for the requests since the first one.
   */
  async waitUntilIdle(): Promise<void> {
    const { period } = this;
    this.period = newPeriod();
    if (period.openCount === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, DRAIN_TIMEOUT_MS);
      period.onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const newPeriod = (): Period => ({ openCount: 0, onIdle: () => {} });
