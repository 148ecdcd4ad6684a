import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import { Semaphore } from './semaphore';

/** At most of one company, so that a report does not keep a colleague's list waiting. */
const PER_TENANT = 2;
const MAX_WAITING = 1000;

/** How many large reads may run at once: calls always find another connection. */
export const largeReadPlaces = ({ databasePoolSize }: Pick<Config, 'databasePoolSize'>): number =>
  Math.max(1, Math.floor(databasePoolSize / 5));

/** Far shorter than a read waits, so that a colleague's list is not refused while nothing is read. */
const MAX_REST_MS = 2000;
const WAIT_MS = 10_000;

/**
 * Limits what reads many rows: searches, sorted and deep pages, counts and reports. Otherwise a company that requests them without a
 * pause would use all processors of PostgreSQL, which the calls of other companies wait for. The companies take turns.
 */
@Injectable()
export class LargeReads {
  private readonly places: Semaphore;
  /** Those of each company, which rest after a read while another company has the place. */
  private readonly ofCompanies: Semaphore;

  constructor(@Inject(CONFIG) config: Pick<Config, 'databasePoolSize'>) {
    const places = largeReadPlaces(config);
    const busyMessage = 'Other large reads are in progress.';
    this.places = new Semaphore({ places, busyMessage });
    this.ofCompanies = new Semaphore({
      places: Infinity,
      // One is left to the others.
      perOwner: Math.max(1, Math.min(PER_TENANT, places - 1)),
      maxWaiting: MAX_WAITING,
      busyMessage,
    });
  }

  /**
   * Runs a read of the tenant, which must not wait for another one. The company's next read begins after as long again as this one
   * took, at most 2 s, so that one that reads without a pause uses half of a processor.
   * @throws ConnectionLimitError when its turn takes too long
   */
  async read<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    const endRest = await this.ofCompanies.acquire({ owner: tenantId, waitMs: WAIT_MS });
    let begin = performance.now();
    try {
      const timed = () => {
        begin = performance.now();
        return work();
      };
      return await this.places.run(timed, { owner: tenantId, waitMs: WAIT_MS - (begin - askedAt) });
    } finally {
      setTimeout(endRest, Math.min(performance.now() - begin, MAX_REST_MS)).unref();
    }
  }

  /** How many reads of the tenant are in progress, rest or wait. */
  usersOf(tenantId: string): number {
    return this.ofCompanies.usersOf(tenantId);
  }
}
