import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/http/access.decorators';
import { IdParam } from '../platform/http/id-params';
import { ApiData, ApiPage } from '../platform/http/open-api.decorators';
import type { Page } from '../platform/http/pagination';
import type { Principal } from '../platform/http/principal';
import { ApiResourceBody, ResourceBody } from '../platform/http/resource-body';
import { AccessLinkDto, AccessLinkListQuery, CreateAccessLinkDto } from './access-link.dto';
import { AccessLinkList } from './access-link-list';
import { AccessLinks } from './access-links';

@ApiTags('Access links')
@MinimumRole('attendant')
@Controller('api/v1/access-links')
export class AccessLinksController {
  constructor(
    private readonly links: AccessLinks,
    private readonly list: AccessLinkList,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List access links' })
  @ApiPage(AccessLinkDto)
  page(@CurrentUser() user: Principal, @Query() query: AccessLinkListQuery): Promise<Page<AccessLinkDto>> {
    return this.list.page(user.tenant_id, query);
  }

  @Post()
  @ApiOperation({ summary: 'Create an access link' })
  @ApiResourceBody('access_link', CreateAccessLinkDto)
  @ApiData(AccessLinkDto, { status: 201 })
  create(
    @CurrentUser() user: Principal,
    @ResourceBody('access_link') input: CreateAccessLinkDto,
  ): Promise<AccessLinkDto> {
    return this.links.create(user, input);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get an access link' })
  @ApiData(AccessLinkDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AccessLinkDto> {
    return this.list.get(user.tenant_id, id);
  }
}
