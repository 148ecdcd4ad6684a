import { Module } from '@nestjs/common';
import { ConnectionLimiter } from '../platform/database/connection-limiter';
import { TenancyModule } from '../tenancy/tenancy.module';
import { AnalyticsController } from './analytics.controller';
import { Overview, OverviewConnectionLimiter } from './overview';
import { ReportsService } from './reports.service';
import { ReportTermsReader } from './report-terms';
import { ViewRefresh } from './view-refresh';

@Module({
  imports: [TenancyModule],
  controllers: [AnalyticsController],
  // Its own share of the connections: exports, which may take minutes, have another.
  providers: [
    ConnectionLimiter,
    OverviewConnectionLimiter,
    Overview,
    ReportsService,
    ReportTermsReader,
    ViewRefresh,
  ],
})
export class AnalyticsModule {}
