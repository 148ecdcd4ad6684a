import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { AuditList } from './audit-list';
import { AuditRetention } from './audit-retention';
import { AuditTrail } from './audit-trail';

@Module({ controllers: [AuditController], providers: [AuditList, AuditRetention, AuditTrail] })
export class AuditModule {}
