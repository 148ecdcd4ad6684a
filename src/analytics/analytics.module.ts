import { Module } from '@nestjs/common';
import { ConnectionShare } from '../platform/database/connection-share';
import { TenancyModule } from '../tenancy/tenancy.module';
import { AnalyticsController } from './analytics.controller';
import { Overview, OverviewShare } from './overview';
import { Reports } from './reports';
import { ReportTermsReader } from './report-terms';
import { ViewRefresh } from './view-refresh';

@Module({
  imports: [TenancyModule],
  controllers: [AnalyticsController],
  // Its own share of the connections: exports, which may take minutes, have another.
  providers: [ConnectionShare, OverviewShare, Overview, Reports, ReportTermsReader, ViewRefresh],
})
export class AnalyticsModule {}
