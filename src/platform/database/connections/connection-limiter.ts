import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import { Semaphore } from './semaphore';

export { ConnectionLimitError } from './semaphore';

/**
 * Limits how many connections of the pool long reads of one kind hold at the same time: a fifth of them, at least
 * one, so that calls always find a connection. Further reads wait, first come, first served. Each module that
 * provides this class has its own limit.
 */
@Injectable()
export class ConnectionLimiter extends Semaphore {
  constructor(@Inject(CONFIG) { databasePoolSize }: Pick<Config, 'databasePoolSize'>) {
    super(Math.max(1, Math.floor(databasePoolSize / 5)), 'Other large reads are in progress.');
  }
}
