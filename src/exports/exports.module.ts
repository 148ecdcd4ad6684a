import { Module } from '@nestjs/common';
import { AccessLinksModule } from '../access-links/access-links.module';
import { ConnectionLimiter } from '../platform/database/connection-limiter';
import { ExportsService } from './exports.service';
import { ExportsController } from './exports.controller';

@Module({
  imports: [AccessLinksModule],
  controllers: [ExportsController],
  // Its own share of the connections: a client may keep an export waiting for long, and reports shall not wait for that.
  providers: [ConnectionLimiter, ExportsService],
})
export class ExportsModule {}
