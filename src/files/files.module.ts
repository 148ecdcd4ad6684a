import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { CallsModule } from '../calls/calls.module';
import { CustomersModule } from '../customers/customers.module';
import { PlansModule } from '../plans/plans.module';
import { CallFileList } from './call-file-list';
import { CallFilesService } from './call-files.service';
import { CallFilesController } from './call-files.controller';
import { CustomerFiles } from './customer-files';
import { CustomerFilesController } from './customer-files.controller';
import { FilePersonalData } from './file-personal-data';

@Module({
  imports: [AuditModule, CallsModule, CustomersModule, PlansModule],
  controllers: [CallFilesController, CustomerFilesController],
  providers: [CallFileList, CallFilesService, CustomerFiles, FilePersonalData],
})
export class FilesModule {}
