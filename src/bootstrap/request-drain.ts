import type { Server, ServerResponse } from 'node:http';
import type { Lifecycle } from '../platform/health/lifecycle';

/** Longer than a regular request takes; a stalled client must not delay the shutdown further. */
const DRAIN_TIMEOUT_MS = 10_000;

/** Tracks open requests, so that the shutdown can wait for them while the service still accepts requests. */
export class RequestDrain {
  private readonly open = new Set<ServerResponse>();

  constructor(private readonly lifecycle: Lifecycle) {}

  /** Call it before the server listens: the Socket.IO server hides its requests from listeners added later. */
  watch(server: Server): void {
    server.on('request', (_request, response: ServerResponse) => {
      // A proxy that keeps the connection would send its next request when the service has closed.
      if (this.lifecycle.isDraining) response.shouldKeepAlive = false;
      this.open.add(response);
      response.once('close', () => this.open.delete(response));
    });
  }

  /** Waits until every request that is open now has been answered or its client has disconnected. */
  async waitUntilIdle(): Promise<void> {
    const closed = [...this.open].map(
      (response) => new Promise<void>((resolve) => response.once('close', resolve)),
    );
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_TIMEOUT_MS);
    });
    await Promise.race([Promise.all(closed), timeout]);
    clearTimeout(timer);
  }
}
