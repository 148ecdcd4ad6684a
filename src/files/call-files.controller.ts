import { Controller, Get, Inject, Post, Query, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DownloadLog } from '../audit/download-log';
import { VisibleCallInterceptor } from '../calls/staff/visible-call.interceptor';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import { IdParam } from '../platform/http/input/id-params';
import { IdempotencyKey, TakesIdempotencyKey } from '../calls/customer/idempotency-key';
import { ApiData, ApiFailure, ApiPage } from '../platform/http/openapi/openapi.decorators';
import type { Page } from '../platform/database/page';
import type { Principal } from '../platform/access/principal';
import { ApiDownload, sendObject } from './downloads/send-object';
import type { StoredUpload } from './uploads/storage-engine';
import { StreamedFile, StreamUpload } from './uploads/stream-upload';
import { StorageQuotaGuard } from '../plans/storage-quota.guard';
import { STORAGE, type Storage } from '../platform/storage/storage';
import { UploadedFileDto } from '../calls/chat/uploaded-file.dto';
import { CallFileDto, CallFileListQuery } from './call-file.dto';
import { CallFileDownloaded } from './call-file.events';
import { CallFileList } from './call-file-list';
import { CallFilesService } from './call-files.service';

@ApiTags('Calls')
@MinimumRole('attendant')
@UseInterceptors(VisibleCallInterceptor)
@Controller('api/v1/calls/:call_id')
export class CallFilesController {
  constructor(
    private readonly list: CallFileList,
    private readonly files: CallFilesService,
    private readonly downloads: DownloadLog,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  @Post('upload')
  @UseGuards(StorageQuotaGuard)
  @ApiOperation({ summary: 'Upload a file to a call' })
  @StreamUpload({
    limit: 'maxUploadBytes',
    kind: 'files',
    description:
      'Any file, at most MAX_UPLOAD_MB. Its type is detected from its content, otherwise it is the declared one.',
  })
  @TakesIdempotencyKey(
    'An upload that its user repeats with the same key, to the same call, is answered with the file of the first one. The key is ' +
      'kept as long as the file. Name and content must be the same.',
  )
  @ApiData(UploadedFileDto, { status: 201 })
  @ApiFailure(
    403,
    'The storage of the plan is used up',
    'plan_limit',
    'The plan free allows 1 GiB of recordings, files and unfinished uploads. The plan basic allows more.',
  )
  @ApiFailure(413, 'The file is larger than MAX_UPLOAD_MB', 'payload_too_large')
  @ApiFailure(
    422,
    'No file, an empty one, too many unfinished uploads, or a key of another file (`idempotency_key_reused`)',
    'too_many_uploads',
  )
  upload(
    @CurrentUser() user: Principal,
    @IdParam('call_id') callId: string,
    @StreamedFile() file: StoredUpload,
    @IdempotencyKey() key: string | undefined,
  ): Promise<UploadedFileDto> {
    return this.files.add(user, callId, { ...file, idempotency_key: key });
  }

  @Get('files')
  @ApiOperation({ summary: 'List the files of a call, oldest first' })
  @ApiPage(CallFileDto)
  page(
    @CurrentUser() user: Principal,
    @IdParam('call_id') callId: string,
    @Query() query: CallFileListQuery,
  ): Promise<Page<CallFileDto>> {
    return this.list.page(user.tenant_id, callId, query);
  }

  @Get('files/:id')
  @Unwrapped()
  @ApiOperation({
    summary: 'Download a file; browsers display only images, audio and video',
  })
  @ApiDownload('The file', '*/*')
  async download(
    @CurrentUser() user: Principal,
    @IdParam('call_id') callId: string,
    @IdParam() id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { tenant_id, session_id } = user;
    const file = await this.list.download(tenant_id, callId, id);
    const sent = { tenant_id, id, call_id: callId, key: { session_id } };
    await sendObject(request, response, this.storage, file, (extent) =>
      this.downloads.record(CallFileDownloaded, sent, extent === 'part'),
    );
  }
}
