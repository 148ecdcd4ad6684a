import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DownloadLog } from '../audit/download-log';
import { VisibleCallInterceptor } from '../calls/staff/visible-call.interceptor';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import { IdParam } from '../platform/http/input/id-params';
import { NoParameters } from '../platform/http/lists/pagination';
import { ApiData, ApiFailure } from '../platform/http/openapi/openapi.decorators';
import type { Principal } from '../platform/access/principal';
import { ApiDownload, sendObject } from '../files/downloads/send-object';
import type { StoredUpload } from '../files/uploads/storage-engine';
import { StreamedFile, StreamUpload } from '../files/uploads/stream-upload';
import { STORAGE, type Storage } from '../platform/storage/storage';
import { RequiresFeature } from '../plans/plan.guard';
import { StorageQuotaGuard } from '../plans/storage-quota.guard';
import { RecordingDto, RecordingQuery, RecordingTicketDto } from './recording.dto';
import { RecordingList } from './recording-list';
import { RecordingDownloaded } from './recording.events';
import { RecordingTickets } from './recording-tickets';
import { recordingTypeOf } from './recording-type';
import { RecordingsService } from './recordings.service';

@ApiTags('Recordings')
@MinimumRole('attendant')
@UseInterceptors(VisibleCallInterceptor)
@Controller('api/v1/calls/:call_id')
export class RecordingsController {
  constructor(
    private readonly recordings: RecordingsService,
    private readonly list: RecordingList,
    private readonly tickets: RecordingTickets,
    private readonly downloads: DownloadLog,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  @Post('recording/upload')
  @RequiresFeature('recording')
  @UseGuards(StorageQuotaGuard)
  @ApiOperation({ summary: 'Upload a recording of a call; uploading the same content again adds nothing' })
  @StreamUpload({
    limit: 'maxRecordingBytes',
    kind: 'recordings',
    description:
      'Audio or video, at most MAX_RECORDING_MB. Its type is detected from its content, otherwise it is the declared one.',
    accept: async (sample, part) => void (await recordingTypeOf(sample, part)),
  })
  @ApiData(RecordingDto, { status: 201 })
  @ApiFailure(
    403,
    'The plan does not include recording, or its storage is used up (`plan_limit`)',
    'feature_not_in_plan',
    'The plan free does not include recording. The plan basic does.',
  )
  @ApiFailure(413, 'The file is larger than MAX_RECORDING_MB', 'payload_too_large')
  @ApiFailure(422, 'Empty, neither audio nor video, or too many unfinished uploads', 'too_many_uploads')
  async upload(
    @CurrentUser() user: Principal,
    @IdParam('call_id') call_id: string,
    @StreamedFile() { sample, ...upload }: StoredUpload,
  ): Promise<RecordingDto> {
    const type = await recordingTypeOf(sample, upload);
    const { tenant_id, user_id: uploaded_by } = user;
    const { reserved_bytes } = upload;
    return this.recordings.add({ tenant_id, call_id, uploaded_by, object: upload, reserved_bytes, ...type });
  }

  @Get('recordings')
  @ApiOperation({ summary: 'List the recordings of a call, newest first' })
  @ApiData(RecordingDto, { list: true })
  all(
    @CurrentUser() user: Principal,
    @IdParam('call_id') callId: string,
    @Query() _query: NoParameters,
  ): Promise<RecordingDto[]> {
    return this.list.all(user.tenant_id, callId);
  }

  @Get('recording')
  @Unwrapped()
  @ApiOperation({ summary: 'Get the recording of a call: the newest, or the one given by recording_id' })
  @ApiDownload('The recording', 'audio/*', 'video/*')
  async download(
    @CurrentUser() user: Principal,
    @IdParam('call_id') call_id: string,
    @Query() { recording_id }: RecordingQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { tenant_id, session_id } = user;
    const recording = await this.list.find(tenant_id, { call_id, recording_id });
    const sent = { ...recording, tenant_id, key: { session_id } };
    await sendObject(request, response, this.storage, recording, (extent) =>
      this.downloads.record(RecordingDownloaded, sent, extent === 'part'),
    );
  }

  @Post('recording/ticket')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get a URL that plays the recording for 5 minutes without an access token',
  })
  @ApiData(RecordingTicketDto)
  @ApiFailure(
    422,
    '`recording_id` is in the body instead of the query',
    'unknown_field',
    'The field recording_id is unknown: it is a parameter of the query.',
  )
  ticket(
    @CurrentUser() user: Principal,
    @IdParam('call_id') call_id: string,
    @Query() { recording_id }: RecordingQuery,
  ): Promise<RecordingTicketDto> {
    return this.tickets.issue(user, { call_id, recording_id });
  }

  @Delete('recording')
  @HttpCode(204)
  @MinimumRole('manager')
  @ApiOperation({
    summary:
      'Delete the recording of a call, with its transcript: the newest, or the one given by recording_id',
  })
  @ApiNoContentResponse()
  @ApiFailure(
    422,
    '`recording_id` is in the body instead of the query',
    'unknown_field',
    'The field recording_id is unknown: it is a parameter of the query.',
  )
  remove(
    @CurrentUser() user: Principal,
    @IdParam('call_id') call_id: string,
    @Query() { recording_id }: RecordingQuery,
  ): Promise<void> {
    return this.recordings.remove(user.tenant_id, { call_id, recording_id });
  }
}
