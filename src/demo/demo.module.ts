import { Module } from '@nestjs/common';
import { AccessLinksModule } from '../access-links/access-links.module';
import { BillingModule } from '../billing/billing.module';
import { IdentityModule } from '../identity/identity.module';
import { PlansModule } from '../plans/plans.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { DemoSeeder } from './demo-seeder';

@Module({
  imports: [TenancyModule, PlansModule, IdentityModule, BillingModule, AccessLinksModule],
  providers: [DemoSeeder],
  exports: [DemoSeeder],
})
export class DemoModule {}
