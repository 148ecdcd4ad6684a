import { Injectable } from '@nestjs/common';
import { ConnectionLimiter } from '../platform/database/connections/connection-limiter';

/** The overview has a limiter of its own, so that dashboards do not wait for slow reports. */
@Injectable()
export class OverviewConnectionLimiter extends ConnectionLimiter {}
