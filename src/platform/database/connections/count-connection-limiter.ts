import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config';
import { ConnectionLimiter } from './connection-limiter';
import { LargeReadBudget } from './large-read-budget';
import { TenantConnectionLimiter } from './tenant-connection-limiter';

/** Limits counts of many rows separately, so that no list waits for the searches of its tenant. */
@Injectable()
export class CountConnectionLimiter extends TenantConnectionLimiter {
  constructor(@Inject(CONFIG) config: Config, budget: LargeReadBudget) {
    super(new ConnectionLimiter(config), budget);
  }
}
