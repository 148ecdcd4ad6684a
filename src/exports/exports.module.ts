import { Module } from '@nestjs/common';
import { AccessLinksModule } from '../access-links/access-links.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { CopyOut } from './copy-out';
import { ExportsService } from './exports.service';
import { ExportsController } from './exports.controller';

@Module({
  imports: [TenancyModule, AccessLinksModule],
  controllers: [ExportsController],
  providers: [CopyOut, ExportsService],
})
export class ExportsModule {}
