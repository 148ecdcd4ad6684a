import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import { IdParam } from '../../platform/http/input/id-params';
import { NoParameters } from '../../platform/http/lists/pagination';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
import type { Principal } from '../../platform/access/principal';
import { AddTagDto } from './call-tag.dto';
import { CallTags } from './call-tags';
import { CallTagDto } from '../call-details.dto';

@ApiTags('Calls')
@MinimumRole('attendant')
@Controller('api/v1/calls/:call_id/tags')
export class CallTagsController {
  constructor(private readonly tags: CallTags) {}

  @Get()
  @ApiOperation({ summary: 'List the tags of a call, by name' })
  @ApiData(CallTagDto, { list: true })
  list(
    @CurrentUser() user: Principal,
    @IdParam('call_id') id: string,
    @Query() _query: NoParameters,
  ): Promise<CallTagDto[]> {
    return this.tags.list(user, id);
  }

  @Post()
  @ApiOperation({ summary: 'Add a tag to a call; adding it twice changes nothing' })
  @ApiData(CallTagDto, { status: 201 })
  add(
    @CurrentUser() user: Principal,
    @IdParam('call_id') id: string,
    @Body() input: AddTagDto,
  ): Promise<CallTagDto> {
    return this.tags.add(user, id, input.tag_id);
  }

  @Delete(':tag_id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a tag from a call' })
  @ApiNoContentResponse()
  remove(
    @CurrentUser() user: Principal,
    @IdParam('call_id') id: string,
    @IdParam('tag_id') tagId: string,
  ): Promise<void> {
    return this.tags.remove(user, id, tagId);
  }
}
