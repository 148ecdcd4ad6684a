import { setTimeout } from 'node:timers/promises';
import type { Answer } from '../../support/http/api';
import type { ServiceProcess } from '../../support/service/service-process';

const PAUSE_MS = 50;
/** At each instance. */
const READERS = 3;

/** Reads and joins at several instances, again and again, during an outage. What may fail, must fail as documented. */
export class OutageLoad {
  private isStopped = false;
  private unavailableCount = 0;
  /** Joins that were answered, whatever the answer was. */
  joinCount = 0;
  /** The time of the last join that succeeded at each instance. */
  private readonly succeededAt: number[];
  private readonly unexpected: string[] = [];
  private readonly clients: Promise<void>[];

  constructor(instances: ServiceProcess[], link: string) {
    this.succeededAt = instances.map(() => 0);
    this.clients = instances.flatMap(({ api }, index) => [
      ...Array.from({ length: READERS }, () => this.run(() => api.get(`/api/v1/call/${link}/validate`))),
      this.run(
        () => api.post(`/api/v1/call/${link}/join`, { name: 'Olaf Outage' }),
        (status, startedAt) => {
          this.joinCount++;
          if (status === 200) this.succeededAt[index] = startedAt;
        },
      ),
    ]);
  }

  get hasBeenUnavailable(): boolean {
    return this.unavailableCount > 0;
  }

  /** Whether a join that was sent after this time has succeeded at every instance. */
  hasSucceededSince(time: number): () => boolean {
    return () => this.succeededAt.every((at) => at > time);
  }

  /** @returns the answers that were neither a success nor a documented 503 */
  async stop(): Promise<{ unexpected: string[]; hasBeenUnavailable: boolean }> {
    this.isStopped = true;
    await Promise.all(this.clients);
    return { unexpected: this.unexpected, hasBeenUnavailable: this.hasBeenUnavailable };
  }

  private async run(
    send: () => Promise<Answer>,
    onAnswer?: (status: number, startedAt: number) => void,
  ): Promise<void> {
    while (!this.isStopped) {
      await setTimeout(PAUSE_MS);
      const startedAt = Date.now();
      try {
        const { status, body, headers } = await send();
        onAnswer?.(status, startedAt);
        if (status === 200) continue;
        if (status === 503 && body.errors?.code === 'unavailable' && headers.has('retry-after')) {
          this.unavailableCount++;
        } else this.unexpected.push(`${status}: ${JSON.stringify(body)}`);
      } catch (error) {
        this.unexpected.push(String((error as Error).cause ?? error));
      }
    }
  }
}
