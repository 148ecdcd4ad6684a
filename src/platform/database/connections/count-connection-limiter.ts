import { Injectable } from '@nestjs/common';
import { TenantConnectionLimiter } from './tenant-connection-limiter';

/** Limits counts of many rows separately, so that no list waits for the searches of its tenant. */
@Injectable()
export class CountConnectionLimiter extends TenantConnectionLimiter {}
