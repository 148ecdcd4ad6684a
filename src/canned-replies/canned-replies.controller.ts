import { Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import type { Principal } from '../platform/access/principal';
import type { Page } from '../platform/database/page';
import { IdParam } from '../platform/http/input/id-params';
import { ApiResourceBody, ResourceBody } from '../platform/http/input/resource-body';
import { ApiData, ApiFailure, ApiPage } from '../platform/http/openapi/openapi.decorators';
import {
  CannedReplyDto,
  CannedReplyListQuery,
  CreateCannedReplyDto,
  UpdateCannedReplyDto,
} from './canned-reply.dto';
import { CannedReplyList } from './canned-reply-list';
import { CannedRepliesService } from './canned-replies.service';

@ApiTags('Canned replies')
@Controller('api/v1/canned-replies')
export class CannedRepliesController {
  constructor(
    private readonly replies: CannedRepliesService,
    private readonly list: CannedReplyList,
  ) {}

  @Get()
  @MinimumRole('attendant')
  @ApiOperation({ summary: 'List canned replies' })
  @ApiPage(CannedReplyDto)
  page(@CurrentUser() user: Principal, @Query() query: CannedReplyListQuery): Promise<Page<CannedReplyDto>> {
    return this.list.page(user.tenant_id, query);
  }

  @Post()
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'Create a canned reply; a company can have 500' })
  @ApiResourceBody('canned_reply', CreateCannedReplyDto)
  @ApiData(CannedReplyDto, { status: 201 })
  @ApiFailure(
    422,
    'Some fields are not valid, the shortcut is in use, or the company has as many replies as it can have',
    'too_many_canned_replies',
    'A company can have 500 canned replies. Delete one first.',
  )
  create(
    @CurrentUser() user: Principal,
    @ResourceBody('canned_reply') input: CreateCannedReplyDto,
  ): Promise<CannedReplyDto> {
    return this.replies.create(user.tenant_id, input);
  }

  @Get(':id')
  @MinimumRole('attendant')
  @ApiOperation({ summary: 'Get a canned reply' })
  @ApiData(CannedReplyDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<CannedReplyDto> {
    return this.list.get(user.tenant_id, id);
  }

  @Put(':id')
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'Update a canned reply' })
  @ApiResourceBody('canned_reply', UpdateCannedReplyDto)
  @ApiData(CannedReplyDto)
  update(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @ResourceBody('canned_reply') input: UpdateCannedReplyDto,
  ): Promise<CannedReplyDto> {
    return this.replies.update(user.tenant_id, id, input);
  }

  @Delete(':id')
  @MinimumRole('supervisor')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a canned reply; texts into which it was inserted stay' })
  @ApiNoContentResponse()
  delete(@CurrentUser() user: Principal, @IdParam() id: string): Promise<void> {
    return this.replies.delete(user.tenant_id, id);
  }
}
