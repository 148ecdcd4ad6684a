import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { CallFileList } from './call-file-list';
import { CallFiles } from './call-files';
import { CallFilesController } from './call-files.controller';

@Module({
  imports: [CallsModule],
  controllers: [CallFilesController],
  providers: [CallFileList, CallFiles],
})
export class FilesModule {}
