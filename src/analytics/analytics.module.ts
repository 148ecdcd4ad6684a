import { Module } from '@nestjs/common';
import { TenancyModule } from '../tenancy/tenancy.module';
import { AnalyticsController } from './analytics.controller';
import { EstimateReport } from './estimate-report';
import { OverviewReport } from './overview-report';
import { ReportsService } from './reports.service';
import { ReportParametersReader } from './report-parameters-reader';
import { ReportViewsMetric } from './report-views-metric';
import { ViewRefresher } from './view-refresher';

@Module({
  imports: [TenancyModule],
  controllers: [AnalyticsController],
  providers: [
    EstimateReport,
    OverviewReport,
    ReportsService,
    ReportParametersReader,
    ReportViewsMetric,
    ViewRefresher,
  ],
})
export class AnalyticsModule {}
