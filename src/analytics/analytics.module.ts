import { Module } from '@nestjs/common';
import { TenantConnectionLimiter } from '../platform/database/connections/tenant-connection-limiter';
import { TenancyModule } from '../tenancy/tenancy.module';
import { AnalyticsController } from './analytics.controller';
import { EstimateReport } from './estimate-report';
import { OverviewConnectionLimiter } from './overview-connection-limiter';
import { OverviewReport } from './overview-report';
import { ReportsService } from './reports.service';
import { ReportParametersReader } from './report-parameters-reader';
import { ReportViewsMetric } from './report-views-metric';
import { ViewRefresher } from './view-refresher';

@Module({
  imports: [TenancyModule],
  controllers: [AnalyticsController],
  // Reports have a limiter of their own, so that they do not wait for exports, which may take minutes.
  providers: [
    TenantConnectionLimiter,
    OverviewConnectionLimiter,
    EstimateReport,
    OverviewReport,
    ReportsService,
    ReportParametersReader,
    ReportViewsMetric,
    ViewRefresher,
  ],
})
export class AnalyticsModule {}
