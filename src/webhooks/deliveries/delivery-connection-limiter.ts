import { Injectable } from '@nestjs/common';
import { ConnectionLimiter } from '../../platform/database/connections/connection-limiter';

/**
 * The connections that deliveries may hold, so that they leave enough for calls. Deliveries wait for one without a
 * limit (the longest timer there is): a late delivery is better than a lost result.
 */
@Injectable()
export class DeliveryConnectionLimiter extends ConnectionLimiter {
  override waitTimeoutMs = 2_147_483_647;
}
