import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { LogosController } from './logos.controller';
import { TenantController } from './tenant.controller';
import { Tenant } from './tenant.entity';
import { TenantLogos } from './tenant-logos';
import { TenantsService } from './tenants.service';
import { TenantSettings } from './tenant-settings';
import { Timezones } from './timezones';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-errors';
import { TENANT_CONSTRAINTS } from './tenant.constraints';

CONSTRAINT_ERRORS.register(TENANT_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([Tenant]), RateLimitModule],
  controllers: [TenantController, LogosController],
  providers: [TenantLogos, TenantsService, TenantSettings, Timezones],
  exports: [TenantsService, Timezones],
})
export class TenancyModule {}
