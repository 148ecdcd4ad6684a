import { Injectable } from '@nestjs/common';
import { TenantConnectionLimiter } from '../platform/database/connections/tenant-connection-limiter';

/** The overview has a limiter of its own, so that dashboards do not wait for slow reports. */
@Injectable()
export class OverviewConnectionLimiter extends TenantConnectionLimiter {}
