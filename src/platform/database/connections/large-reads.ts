import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import { Semaphore } from './semaphore';

/** At most of one company, so that a report does not keep a colleague's list waiting. */
const PER_TENANT = 2;
const MAX_WAITING = 1000;

/** How many large reads may run at once: calls always find another connection. */
export const largeReadPlaces = ({ databasePoolSize }: Pick<Config, 'databasePoolSize'>): number =>
  Math.max(1, Math.floor(databasePoolSize / 5));

/**
 * Limits what reads many rows: searches, sorted and deep pages, counts and reports. Otherwise a company that requests them without a
 * pause would use all processors of PostgreSQL, which the calls of other companies wait for. The companies take turns.
 */
@Injectable()
export class LargeReads extends Semaphore {
  constructor(@Inject(CONFIG) config: Pick<Config, 'databasePoolSize'>) {
    const places = largeReadPlaces(config);
    super({
      places,
      // One is left to the others.
      perOwner: Math.max(1, Math.min(PER_TENANT, places - 1)),
      maxWaiting: MAX_WAITING,
      busyMessage: 'Other large reads are in progress.',
    });
  }

  /**
   * Runs a read of the tenant, which must not wait for another one. Its place stays taken for as long again as the read took, so
   * that a company that reads without a pause uses half of a processor.
   * @throws ConnectionLimitError when its turn takes too long
   */
  async read<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire({ owner: tenantId });
    const begin = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(release, performance.now() - begin).unref();
    }
  }
}
