import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../platform/access/access.decorators';
import { Unwrapped } from '../../platform/http/envelope.interceptor';
import { notFound } from '../../platform/http/errors/api-error';
import { IdParam } from '../../platform/http/input/id-params';
import { hashOfFile, sendPicture } from '../../tenancy/pictures/send-picture';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { UserAvatarsService } from './user-avatars.service';

/** Serves the photos of users to customer pages and the console. */
@ApiTags('Users')
@Public()
@RateLimit('asset')
@Controller('api/v1/avatars')
export class AvatarsController {
  constructor(private readonly avatars: UserAvatarsService) {}

  @Get(':tenant_id/:user_id/:file')
  @Unwrapped()
  @ApiOperation({ summary: 'Get the photo of a user, as linked by avatar_url' })
  @ApiOkResponse({ content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } })
  @ApiResponse({ status: 304, description: 'The version in If-None-Match is current' })
  async avatar(
    @IdParam('tenant_id') tenantId: string,
    @IdParam('user_id') ownerId: string,
    @Param('file') file: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const hash = hashOfFile(file);
    if (!hash) throw notFound('Photo');
    sendPicture(response, await this.avatars.find({ tenantId, ownerId, hash }), hash, ifNoneMatch);
  }
}
