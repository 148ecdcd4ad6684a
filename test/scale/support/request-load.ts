import type { Answer } from '../../support/http/api';
import { until } from '../../support/until';

/** Sends requests one after the other, each kind by a client of its own, and records those that fail. */
export class RequestLoad {
  private isStopped = false;
  private count = 0;
  private readonly failures: string[] = [];
  private readonly clients: Promise<void>[];

  /** Begins at once. @param kinds each sends one request */
  constructor(kinds: (() => Promise<Answer>)[]) {
    this.clients = kinds.map((send) => this.run(send));
  }

  /** Waits until this many further requests have been answered. */
  async waitForMore(requests: number): Promise<void> {
    const end = this.count + requests;
    await until(() => this.count >= end);
  }

  /** @returns the number of requests, and what happened to those that failed: an error, or a status from 500 */
  async stop(): Promise<{ count: number; failures: string[] }> {
    this.isStopped = true;
    await Promise.all(this.clients);
    return { count: this.count, failures: this.failures };
  }

  private async run(send: () => Promise<Answer>): Promise<void> {
    while (!this.isStopped) {
      try {
        const { status, body } = await send();
        if (status >= 500) this.failures.push(`${status}: ${JSON.stringify(body)}`);
      } catch (error) {
        this.failures.push(String((error as Error).cause ?? error));
      }
      this.count++;
    }
  }
}
