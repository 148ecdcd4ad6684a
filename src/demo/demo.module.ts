import { Module } from '@nestjs/common';
import { AccessLinksModule } from '../access-links/access-links.module';
import { BillingModule } from '../billing/billing.module';
import { IdentityModule } from '../identity/identity.module';
import { PlansModule } from '../plans/plans.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { Demo } from './demo';

@Module({
  imports: [TenancyModule, PlansModule, IdentityModule, BillingModule, AccessLinksModule],
  providers: [Demo],
  exports: [Demo],
})
export class DemoModule {}
