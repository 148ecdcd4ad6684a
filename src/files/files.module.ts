import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { CustomersModule } from '../customers/customers.module';
import { CallFileList } from './call-file-list';
import { CallFiles } from './call-files';
import { CallFilesController } from './call-files.controller';
import { CustomersFiles } from './customers-files';

@Module({
  imports: [CallsModule, CustomersModule],
  controllers: [CallFilesController],
  providers: [CallFileList, CallFiles, CustomersFiles],
})
export class FilesModule {}
