import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TenancyModule } from '../tenancy/tenancy.module';
import { MailAllowance } from './mail-allowance';
import { PlanCache } from './plan-cache';
import { Subscription } from './subscription.entity';
import { StorageAdmission } from './storage-admission';
import { StorageMetric } from './storage-metric';
import { StorageQuota } from './storage-quota';
import { StorageQuotaGuard } from './storage-quota.guard';
import { StorageUsage } from './storage-usage';
import { SubscriptionWriter } from './subscription-writer';
import { SubscriptionsService } from './subscriptions.service';
import { UsageRegistry } from './usage-registry';

@Module({
  imports: [TypeOrmModule.forFeature([Subscription]), TenancyModule],
  providers: [
    MailAllowance,
    PlanCache,
    StorageAdmission,
    StorageMetric,
    StorageQuota,
    StorageQuotaGuard,
    StorageUsage,
    SubscriptionWriter,
    SubscriptionsService,
    UsageRegistry,
  ],
  exports: [
    MailAllowance,
    PlanCache,
    StorageAdmission,
    StorageQuota,
    StorageQuotaGuard,
    StorageUsage,
    SubscriptionWriter,
    SubscriptionsService,
    UsageRegistry,
  ],
})
export class PlansModule {}
