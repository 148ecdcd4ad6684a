import type { Server, ServerResponse } from 'node:http';

/** Longer than any honest request takes; a client that stalls must not hold up the stop. */
const LONGEST_DRAIN_MS = 10_000;

/** Keeps count of the requests under way, so that a stop can wait for them while the service still listens. */
export class RequestDrain {
  private readonly open = new Set<ServerResponse>();

  /** Call before the server listens: the socket server takes its own requests away from later listeners. */
  watch(server: Server): void {
    server.on('request', (_request, response: ServerResponse) => {
      this.open.add(response);
      response.once('close', () => this.open.delete(response));
    });
  }

  /** Waits until every request that is under way now has been answered, or its client has left. */
  async finished(): Promise<void> {
    const answered = [...this.open].map(
      (response) => new Promise<void>((resolve) => response.once('close', resolve)),
    );
    let patience: NodeJS.Timeout | undefined;
    const overdue = new Promise<void>((resolve) => {
      patience = setTimeout(resolve, LONGEST_DRAIN_MS);
    });
    await Promise.race([Promise.all(answered), overdue]);
    clearTimeout(patience);
  }
}
