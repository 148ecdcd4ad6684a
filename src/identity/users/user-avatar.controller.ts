import { Controller, Delete, HttpCode, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { MemoryUpload, UploadedContent } from '../../tenancy/pictures/memory-upload';
import { UserDto } from './user.dto';
import { UserAvatarsService } from './user-avatars.service';
import { UserList } from './user-list';

const MAX_AVATAR_BYTES = 2 * 1024 * 1024;

@ApiTags('Users')
@MinimumRole('attendant')
@Controller('api/v1/users/:id/avatar')
export class UserAvatarController {
  constructor(
    private readonly avatars: UserAvatarsService,
    private readonly users: UserList,
  ) {}

  @Put()
  @ApiOperation({
    summary: 'Upload your photo (managers: the photo of any user); its middle is scaled to 256 × 256 pixels',
  })
  @MemoryUpload('file', MAX_AVATAR_BYTES, 'PNG, JPEG or WebP, at most 2 MiB and 4 megapixels')
  @ApiData(UserDto)
  @ApiFailure(413, 'The file is larger than 2 MiB', 'payload_too_large')
  async upload(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @UploadedContent('file') file: Buffer,
  ): Promise<UserDto> {
    await this.avatars.replace(user, id, file);
    return this.users.get(user.tenant_id, id);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove your photo (managers: the photo of any user)' })
  @ApiNoContentResponse()
  remove(@CurrentUser() user: Principal, @IdParam() id: string): Promise<void> {
    return this.avatars.remove(user, id);
  }
}
