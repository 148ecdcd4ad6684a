import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AccessLinkList } from '../access-links/access-link-list';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import type { Principal } from '../platform/access/principal';
import { ApiCsv, sendCsv } from './send-csv';
import {
  AccessLinkExportQuery,
  CallExportQuery,
  CustomerExportQuery,
  type ExportQuery,
  filtersOf,
  separatorOf,
} from './export.dto';
import { accessLinkStatement, callStatement, customerStatement } from './export-statements';
import type { ExportKind } from './export.events';
import { type Export, ExportsService } from './exports.service';
import type { Statement } from '../platform/database/statement';
import { CompanyDays } from '../tenancy/company-days';

@ApiTags('Export')
@MinimumRole('supervisor')
@Controller('api/v1/export')
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly accessLinks: AccessLinkList,
    private readonly days: CompanyDays,
  ) {}

  @Get('calls.csv')
  @Unwrapped()
  @ApiOperation({ summary: 'Export calls as CSV' })
  @ApiCsv('The calls of the list, with more columns')
  async calls(
    @CurrentUser() user: Principal,
    @Query() query: CallExportQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const range = await this.days.range(user.tenant_id, query);
    const statement = callStatement(user, query, range);
    return this.send(user, exportOf('calls', statement, query), request, response);
  }

  @Get('customers.csv')
  @Unwrapped()
  @ApiOperation({ summary: 'Export customers as CSV' })
  @ApiCsv('The customers of the list; metadata is JSON')
  async customers(
    @CurrentUser() user: Principal,
    @Query() query: CustomerExportQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const range = await this.days.range(user.tenant_id, query);
    const statement = customerStatement(user, query, range);
    return this.send(user, exportOf('customers', statement, query), request, response);
  }

  @Get('links.csv')
  @Unwrapped()
  @ApiOperation({ summary: 'Export access links as CSV' })
  @ApiCsv('The access links of the list')
  async links(
    @CurrentUser() user: Principal,
    @Query() query: AccessLinkExportQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const statement = accessLinkStatement(await this.accessLinks.source(user, query), query);
    return this.send(user, exportOf('links', statement, query), request, response);
  }

  /** The file is named, for example, calls-2026-01-31.csv, by today's date of the company. */
  private async send(user: Principal, wanted: Export, request: Request, response: Response): Promise<void> {
    const filename = `${wanted.kind}-${await this.days.today(user.tenant_id)}.csv`;
    return sendCsv(request, response, filename, (signal) => this.exports.rows(user, wanted, signal));
  }
}

const exportOf = (kind: ExportKind, statement: Statement, query: ExportQuery): Export => ({
  kind,
  statement,
  filters: filtersOf(query),
  separator: separatorOf(query),
  has_bom: query.bom ?? false,
});
