import { type DynamicModule, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { BillingModule } from '../billing/billing.module';
import { CallList } from '../calls/staff/call-list';
import { DepartmentsModule } from '../departments/departments.module';
import { IdentityModule } from '../identity/identity.module';
import { PlansModule } from '../plans/plans.module';
import type { Config } from '../platform/config/config';
import { ConfigModule } from '../platform/config/config.module';
import { PLATFORM_MODULES } from '../platform/platform-modules';
import { TenancyModule } from '../tenancy/tenancy.module';
import { GatewayReplay } from './gateway-replay';
import { NewTenant } from './new-tenant';
import { PlanChange } from './plan-change';
import { TenantErasure } from './tenant-erasure';
import { TenantOverview } from './tenant-overview';
import { TenantSuspension } from './tenant-suspension';
import { UserMfa } from './user-mfa';
import { UserPassword } from './user-password';

/** Commands come one at a time. */
const CONNECTIONS = 2;

/**
 * What the operator's commands need of the service: no sockets, no deadlines, no lease, and jobs are only asked
 * for. A context that listens to what commands record, within the transaction or by jobs, has to be here.
 */
@Module({})
export class OperatorModule {
  static with(config: Config): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        // Without Redis: running instances notice by themselves, and nothing is counted here.
        ConfigModule.with({
          ...config,
          isWorker: false,
          redisUrl: undefined,
          databasePoolSize: CONNECTIONS,
        }),
        ...PLATFORM_MODULES,
        TenancyModule,
        AuditModule,
        PlansModule,
        IdentityModule,
        BillingModule,
        DepartmentsModule,
      ],
      providers: [
        // Joins its figure to the plan's view; the rest of its context acts on deadlines.
        CallList,
        GatewayReplay,
        NewTenant,
        PlanChange,
        TenantErasure,
        TenantOverview,
        TenantSuspension,
        UserMfa,
        UserPassword,
      ],
    };
  }
}
