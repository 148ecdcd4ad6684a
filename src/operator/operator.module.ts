import { type DynamicModule, Module } from '@nestjs/common';
import { AccessLinkList } from '../access-links/access-link-list';
import { AuditModule } from '../audit/audit.module';
import { BillingModule } from '../billing/billing.module';
import { CallList } from '../calls/staff/call-list';
import { ErasuresModule } from '../customers/erasures/erasures.module';
import { UnjournalledErasures } from '../customers/erasures/unjournalled-erasures';
import { DepartmentsModule } from '../departments/departments.module';
import { IdentityModule } from '../identity/identity.module';
import { PlansModule } from '../plans/plans.module';
import type { Config } from '../platform/config/config';
import { ConfigModule } from '../platform/config/config.module';
import { PLATFORM_MODULES } from '../platform/platform-modules';
import { TenancyModule } from '../tenancy/tenancy.module';
import { InstallationResumption } from './installation/installation-resumption';
import { GatewayReplay } from './payments/gateway-replay';
import { LegalHoldChanges } from './privacy/legal-hold-changes';
import { StorageCheck } from './storage/storage-check';
import { StorageVerifier } from './storage/storage-verifier';
import { TenantCreation } from './tenants/tenant-creation';
import { PlanChange } from './tenants/plan-change';
import { TenantErasure } from './tenants/tenant-erasure';
import { TenantOverview } from './tenants/tenant-overview';
import { TenantSuspension } from './tenants/tenant-suspension';
import { UserMfaReset } from './users/user-mfa-reset';
import { UserPasswordReset } from './users/user-password-reset';

/** A command runs few statements at a time. */
const POOL_SIZE = 2;

/**
 * The part of the service that the operator's commands need: without sockets, deadlines and leases; jobs are enqueued
 * but not run. A context that listens to events of these commands must be imported here.
 */
@Module({})
export class OperatorModule {
  static with(config: Config): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        // Without Redis: running instances reload changes without it, and no rate limits apply here.
        ConfigModule.with({
          ...config,
          isWorker: false,
          redisUrl: undefined,
          databasePoolSize: POOL_SIZE,
        }),
        ...PLATFORM_MODULES,
        TenancyModule,
        AuditModule,
        PlansModule,
        IdentityModule,
        BillingModule,
        DepartmentsModule,
        // CustomersModule itself would also register routes.
        ErasuresModule,
      ],
      providers: [
        // They register their usage figures with PlanView. CallsModule itself would also run deadlines.
        AccessLinkList,
        CallList,
        UnjournalledErasures,
        StorageCheck,
        StorageVerifier,
        InstallationResumption,
        GatewayReplay,
        LegalHoldChanges,
        TenantCreation,
        PlanChange,
        TenantErasure,
        TenantOverview,
        TenantSuspension,
        UserMfaReset,
        UserPasswordReset,
      ],
    };
  }
}
