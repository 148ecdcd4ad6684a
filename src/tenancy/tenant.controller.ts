import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { ApiData, ApiFailure } from '../platform/http/openapi/openapi.decorators';
import type { Principal } from '../platform/access/principal';
import { ApiResourceBody, ResourceBody } from '../platform/http/input/resource-body';
import { MemoryUpload, UploadedContent } from './pictures/memory-upload';
import { TenantDto, UpdateTenantDto } from './tenant.dto';
import { TenantLogosService } from './tenant-logos.service';
import { TenantSettingsService } from './tenant-settings.service';

const MAX_LOGO_BYTES = 5 * 1024 * 1024;

@ApiTags('Tenant')
@MinimumRole('manager')
@Controller('api/v1/tenant')
export class TenantController {
  constructor(
    private readonly settings: TenantSettingsService,
    private readonly logos: TenantLogosService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Get the settings' })
  @ApiData(TenantDto)
  get(@CurrentUser() user: Principal): Promise<TenantDto> {
    return this.settings.get(user.tenant_id);
  }

  @Put()
  @ApiOperation({ summary: 'Change settings; omitted ones stay as they are' })
  @ApiResourceBody('tenant', UpdateTenantDto)
  @ApiData(TenantDto)
  update(@CurrentUser() user: Principal, @ResourceBody('tenant') input: UpdateTenantDto): Promise<TenantDto> {
    return this.settings.update(user.tenant_id, input);
  }

  @Post('logo')
  @ApiOperation({ summary: 'Upload a logo; it is scaled down to fit into 512 × 512 pixels' })
  @MemoryUpload('file', MAX_LOGO_BYTES, 'PNG, JPEG, WebP, GIF or AVIF, at most 5 MiB and 4 megapixels')
  @ApiData(TenantDto, { status: 201 })
  @ApiFailure(413, 'The file is larger than 5 MiB', 'payload_too_large')
  uploadLogo(@CurrentUser() user: Principal, @UploadedContent('file') file: Buffer): Promise<TenantDto> {
    return this.logos.replace(user.tenant_id, file);
  }

  @Delete('logo')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove the logo' })
  @ApiNoContentResponse()
  removeLogo(@CurrentUser() user: Principal): Promise<void> {
    return this.logos.remove(user.tenant_id);
  }
}
