import { Module } from '@nestjs/common';
import { AccessLinksModule } from '../access-links/access-links.module';
import { TenantConnectionLimiter } from '../platform/database/connections/tenant-connection-limiter';
import { TenancyModule } from '../tenancy/tenancy.module';
import { ExportsService } from './exports.service';
import { ExportsController } from './exports.controller';

@Module({
  imports: [TenancyModule, AccessLinksModule],
  controllers: [ExportsController],
  // Exports have a limiter of their own: slow clients hold connections for minutes, and reports must not wait for them.
  providers: [TenantConnectionLimiter, ExportsService],
})
export class ExportsModule {}
