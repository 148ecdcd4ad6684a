import { Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { IdParam } from '../platform/http/input/id-params';
import { ApiData, ApiFailure, ApiPage } from '../platform/http/openapi/openapi.decorators';
import type { Page } from '../platform/database/page';
import type { Principal } from '../platform/access/principal';
import { ApiResourceBody, ResourceBody } from '../platform/http/input/resource-body';
import { NoParameters } from '../platform/http/lists/pagination';
import { CreateTagDto, TagDto, TagListQuery, TagTreeDto, UpdateTagDto } from './tag.dto';
import { TagList } from './tag-list';
import { TagsService } from './tags.service';

@ApiTags('Tags')
@Controller('api/v1/tags')
export class TagsController {
  constructor(
    private readonly tags: TagsService,
    private readonly list: TagList,
  ) {}

  @Get()
  @MinimumRole('attendant')
  @ApiOperation({ summary: 'List tags' })
  @ApiPage(TagDto)
  page(@CurrentUser() user: Principal, @Query() query: TagListQuery): Promise<Page<TagDto>> {
    return this.list.page(user.tenant_id, query);
  }

  @Get('tree')
  @MinimumRole('attendant')
  @ApiOperation({ summary: 'Get all tags as trees' })
  @ApiData(TagTreeDto, { list: true })
  @ApiFailure(400, 'Malformed request')
  tree(@CurrentUser() user: Principal, @Query() _query: NoParameters): Promise<TagTreeDto[]> {
    return this.list.tree(user.tenant_id);
  }

  @Post()
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'Create a tag' })
  @ApiResourceBody('tag', CreateTagDto)
  @ApiData(TagDto, { status: 201 })
  create(@CurrentUser() user: Principal, @ResourceBody('tag') input: CreateTagDto): Promise<TagDto> {
    return this.tags.create(user.tenant_id, input);
  }

  @Get(':id')
  @MinimumRole('attendant')
  @ApiOperation({ summary: 'Get a tag' })
  @ApiData(TagDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<TagDto> {
    return this.list.get(user.tenant_id, id);
  }

  @Put(':id')
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'Update a tag; a new parent_id moves it with its descendants' })
  @ApiResourceBody('tag', UpdateTagDto)
  @ApiData(TagDto)
  @ApiFailure(
    422,
    'Some fields are not valid, a sibling has the name, or the tag would be its own ancestor',
    'tag_cycle',
    'A tag cannot be its own ancestor.',
  )
  update(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @ResourceBody('tag') input: UpdateTagDto,
  ): Promise<TagDto> {
    return this.tags.update(user.tenant_id, id, input);
  }

  @Delete(':id')
  @MinimumRole('supervisor')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a tag; it is removed from all calls, and its children move up to its parent',
  })
  @ApiNoContentResponse()
  @ApiFailure(
    422,
    'A child would become a sibling of a tag with its name; nothing was changed',
    'tag_name_taken',
    'The child tag "Refunds" would become a sibling of another tag with that name. Rename, move or delete it first.',
  )
  delete(@CurrentUser() user: Principal, @IdParam() id: string): Promise<void> {
    return this.tags.delete(user.tenant_id, id);
  }
}
