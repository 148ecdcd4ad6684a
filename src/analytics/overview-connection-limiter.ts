import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import { ConnectionLimiter } from '../platform/database/connections/connection-limiter';
import { LargeReadBudget } from '../platform/database/connections/large-read-budget';
import { TenantConnectionLimiter } from '../platform/database/connections/tenant-connection-limiter';

/** The overview has a limiter of its own, so that dashboards do not wait for slow reports. */
@Injectable()
export class OverviewConnectionLimiter extends TenantConnectionLimiter {
  constructor(@Inject(CONFIG) config: Config, budget: LargeReadBudget) {
    super(new ConnectionLimiter(config), budget);
  }
}
