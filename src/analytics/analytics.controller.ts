import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresFeature } from '../plans/plan.guard';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { ApiData } from '../platform/http/openapi/openapi.decorators';
import type { Principal } from '../platform/access/principal';
import { AnalyticsQuery, TrendsQuery } from './analytics-query.dto';
import { HourReportDto, OverviewDto, ViewsRefreshDto, ReportMeta, TrendReportDto } from './report.dto';
import { AgentReportDto } from './agents/agent-report.dto';
import { EstimateReport } from './estimate-report';
import { EstimateReportDto } from './estimate-report.dto';
import { OverviewReport } from './overview-report';
import type { Report } from './report';
import { ReportsService } from './reports.service';
import { ViewRefresher } from './view-refresher';

@ApiTags('Analytics')
@MinimumRole('supervisor')
@Controller('api/v1/analytics')
export class AnalyticsController {
  constructor(
    private readonly overviewReport: OverviewReport,
    private readonly reports: ReportsService,
    private readonly estimateReport: EstimateReport,
    private readonly views: ViewRefresher,
  ) {}

  @Get('overview')
  @ApiOperation({
    summary: 'Get the present figures of a period and those of the period before it',
  })
  @ApiData(OverviewDto, { meta: ReportMeta })
  overview(@CurrentUser() user: Principal, @Query() query: AnalyticsQuery): Promise<Report<OverviewDto>> {
    return this.overviewReport.get(user.tenant_id, query);
  }

  @Get('hourly')
  @RequiresFeature('full_analytics')
  @ApiOperation({ summary: 'Get the figures of each hour of the week' })
  @ApiData(HourReportDto, { list: true, meta: ReportMeta })
  hourly(@CurrentUser() user: Principal, @Query() query: AnalyticsQuery): Promise<Report<HourReportDto[]>> {
    return this.reports.hourly(user.tenant_id, query);
  }

  @Get('agents')
  @RequiresFeature('full_analytics')
  @ApiOperation({ summary: 'Get the figures of each agent' })
  @ApiData(AgentReportDto, { list: true, meta: ReportMeta })
  agents(@CurrentUser() user: Principal, @Query() query: AnalyticsQuery): Promise<Report<AgentReportDto[]>> {
    return this.reports.agents(user.tenant_id, query);
  }

  @Get('trends')
  @RequiresFeature('full_analytics')
  @ApiOperation({ summary: 'Get the figures of each day, week or month' })
  @ApiData(TrendReportDto, { list: true, meta: ReportMeta })
  trends(@CurrentUser() user: Principal, @Query() query: TrendsQuery): Promise<Report<TrendReportDto[]>> {
    return this.reports.trends(user.tenant_id, query);
  }

  @Get('estimates')
  @ApiOperation({
    summary: 'Get how far the estimated waits of answered calls were from their waits, by department',
  })
  @ApiData(EstimateReportDto, { list: true, meta: ReportMeta })
  estimates(
    @CurrentUser() user: Principal,
    @Query() query: AnalyticsQuery,
  ): Promise<Report<EstimateReportDto[]>> {
    return this.estimateReport.get(user.tenant_id, query);
  }

  @Post('refresh-views')
  @MinimumRole('manager')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Refresh the views that hourly, agents and trends read; this also happens every 15 minutes',
  })
  @ApiData(ViewsRefreshDto)
  async refresh(): Promise<ViewsRefreshDto> {
    return { refreshed_at: (await this.views.refresh()).toISOString() };
  }
}
