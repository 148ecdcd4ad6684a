import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { largeReadPlaces } from '../../platform/database/connections/large-reads';
import { Semaphore } from '../../platform/database/connections/semaphore';

/**
 * The connections that deliveries may hold, so that they leave enough for calls. Deliveries wait for one without a
 * limit (the longest timer there is): a late delivery is better than a lost result.
 */
@Injectable()
export class DeliveryConnectionLimiter extends Semaphore {
  override waitTimeoutMs = 2_147_483_647;

  constructor(@Inject(CONFIG) config: Config) {
    super({ places: largeReadPlaces(config), busyMessage: 'Other deliveries are being recorded.' });
  }
}
