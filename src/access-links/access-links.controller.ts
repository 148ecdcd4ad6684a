import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { toString as qrCode } from 'qrcode';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import type { DataWithMeta } from '../platform/http/data-with-meta';
import { IdParam } from '../platform/http/input/id-params';
import { ApiData, ApiFailure, ApiPage } from '../platform/http/openapi/openapi.decorators';
import type { Page } from '../platform/database/page';
import type { Principal } from '../platform/access/principal';
import { ApiResourceBody, ResourceBody } from '../platform/http/input/resource-body';
import {
  AccessLinkDto,
  AccessLinkListQuery,
  CreateAccessLinkDto,
  AccessLinkBatchDto,
} from './access-link.dto';
import { AccessLinkList } from './access-link-list';
import { AccessLinksService } from './access-links.service';
import { CancelAccessLinks } from './cancel-access-links';
import { LinkBatchMetaDto, LinkMetaDto } from './link-warning.dto';
import { LinkWarnings } from './link-warnings';

type LinkWithWarnings = AccessLinkDto | DataWithMeta<AccessLinkDto, LinkMetaDto>;
type LinksWithWarnings = AccessLinkDto[] | DataWithMeta<AccessLinkDto[], LinkBatchMetaDto>;

const WARNED = '`meta` is present only if there are warnings';
const FULL = 'The plan free allows 500 active access links. The plan basic allows more.';

const ApiLinkLimit = () => ApiFailure(403, 'The plan allows no more active links', 'plan_limit', FULL);

@ApiTags('Access links')
@MinimumRole('attendant')
@Controller('api/v1/access-links')
export class AccessLinksController {
  constructor(
    private readonly links: AccessLinksService,
    private readonly cancellation: CancelAccessLinks,
    private readonly list: AccessLinkList,
    private readonly warnings: LinkWarnings,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List access links' })
  @ApiPage(AccessLinkDto)
  page(@CurrentUser() user: Principal, @Query() query: AccessLinkListQuery): Promise<Page<AccessLinkDto>> {
    return this.list.page(user, query);
  }

  @Post()
  @ApiOperation({ summary: 'Create an access link' })
  @ApiResourceBody('access_link', CreateAccessLinkDto)
  @ApiData(AccessLinkDto, { status: 201, optionalMeta: LinkMetaDto, description: WARNED })
  @ApiLinkLimit()
  async create(
    @CurrentUser() user: Principal,
    @ResourceBody('access_link') input: CreateAccessLinkDto,
  ): Promise<LinkWithWarnings> {
    return this.warnings.addTo(user.tenant_id, await this.links.create(user, input));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get an access link' })
  @ApiData(AccessLinkDto, { optionalMeta: LinkMetaDto, description: WARNED })
  async get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<LinkWithWarnings> {
    return this.warnings.addTo(user.tenant_id, await this.list.get(user, id));
  }

  @Post('batch')
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'Create up to 500 access links: all or none' })
  @ApiData(AccessLinkDto, { status: 201, list: true, optionalMeta: LinkBatchMetaDto, description: WARNED })
  @ApiLinkLimit()
  async createAll(
    @CurrentUser() user: Principal,
    @Body() { links }: AccessLinkBatchDto,
  ): Promise<LinksWithWarnings> {
    return this.warnings.addToAll(user.tenant_id, await this.links.createAll(user, links));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation({ summary: 'Cancel an access link; customers can no longer join through it' })
  @ApiData(AccessLinkDto)
  cancel(@CurrentUser() user: Principal, @IdParam() id: string): Promise<AccessLinkDto> {
    return this.cancellation.cancel(user, id);
  }

  @Get(':id/qr.svg')
  @Unwrapped()
  @ApiOperation({ summary: "Get the link's URL as a QR code for print" })
  @ApiOkResponse({ content: { 'image/svg+xml': { schema: { type: 'string' } } } })
  async qrCode(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Res() response: Response,
  ): Promise<void> {
    const { url } = await this.list.get(user, id);
    response
      .set('Content-Security-Policy', "default-src 'none'; sandbox")
      .type('svg')
      .send(await qrCode(url, { type: 'svg', errorCorrectionLevel: 'M' }));
  }
}
