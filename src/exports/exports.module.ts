import { Module } from '@nestjs/common';
import { AccessLinksModule } from '../access-links/access-links.module';
import { ConnectionShare } from '../platform/database/connection-share';
import { Exports } from './exports';
import { ExportsController } from './exports.controller';

@Module({
  imports: [AccessLinksModule],
  controllers: [ExportsController],
  // Its own share of the connections: a client may keep an export waiting for long, and reports shall not wait for that.
  providers: [ConnectionShare, Exports],
})
export class ExportsModule {}
