import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { AuditList } from './audit-list';
import { AuditRetention } from './audit-retention';
import { AuditTrail } from './audit-trail';
import { DomainEventRetention } from './domain-event-retention';
import { DownloadLog } from './download-log';
import { TenancyModule } from '../tenancy/tenancy.module';

@Module({
  imports: [TenancyModule],
  controllers: [AuditController],
  providers: [AuditList, AuditRetention, AuditTrail, DomainEventRetention, DownloadLog],
  exports: [DownloadLog],
})
export class AuditModule {}
