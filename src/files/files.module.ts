import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { CustomersModule } from '../customers/customers.module';
import { PlansModule } from '../plans/plans.module';
import { CallFileList } from './call-file-list';
import { CallFilesService } from './call-files.service';
import { CallFilesController } from './call-files.controller';
import { FilePersonalData } from './file-personal-data';

@Module({
  imports: [CallsModule, CustomersModule, PlansModule],
  controllers: [CallFilesController],
  providers: [CallFileList, CallFilesService, FilePersonalData],
})
export class FilesModule {}
