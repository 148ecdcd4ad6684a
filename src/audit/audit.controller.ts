import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { ApiPage } from '../platform/http/openapi/openapi.decorators';
import type { Page } from '../platform/http/lists/pagination';
import type { Principal } from '../platform/access/principal';
import { AuditEntryDto, AuditListQuery } from './audit.dto';
import { AuditList } from './audit-list';

@ApiTags('Audit')
@MinimumRole('manager')
@Controller('api/v1/audit-log')
export class AuditController {
  constructor(private readonly list: AuditList) {}

  @Get()
  @ApiOperation({ summary: 'List audit entries: changes by staff, and logins' })
  @ApiPage(AuditEntryDto)
  page(@CurrentUser() user: Principal, @Query() query: AuditListQuery): Promise<Page<AuditEntryDto>> {
    return this.list.page(user.tenant_id, query);
  }
}
