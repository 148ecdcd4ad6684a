import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { CompanyDays } from './company-days';
import { LogosController } from './logos.controller';
import { TenantController } from './tenant.controller';
import { Tenant } from './tenant.entity';
import { TenantLogosService } from './tenant-logos.service';
import { TenantsService } from './tenants.service';
import { TenantSettingsService } from './tenant-settings.service';
import { Timezones } from './timezones';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-error-registry';
import { LEGAL_HOLD_CONSTRAINTS } from './legal-hold.constraints';
import { TENANT_CONSTRAINTS } from './tenant.constraints';

CONSTRAINT_ERRORS.register(TENANT_CONSTRAINTS);
CONSTRAINT_ERRORS.register(LEGAL_HOLD_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([Tenant]), RateLimitModule],
  controllers: [TenantController, LogosController],
  providers: [TenantLogosService, TenantsService, TenantSettingsService, Timezones, CompanyDays],
  exports: [TenantsService, TenantSettingsService, Timezones, CompanyDays],
})
export class TenancyModule {}
