import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { AuditList } from './audit-list';
import { AuditTrail } from './audit-trail';

@Module({ controllers: [AuditController], providers: [AuditList, AuditTrail] })
export class AuditModule {}
