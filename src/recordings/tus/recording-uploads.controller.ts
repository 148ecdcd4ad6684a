import { Controller, Delete, Head, HttpCode, Patch, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { VisibleCallInterceptor } from '../../calls/staff/visible-call.interceptor';
import { RequiresFeature } from '../../plans/plan.guard';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import { badRequest } from '../../platform/http/errors/api-error';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import type { Principal } from '../../platform/access/principal';
import { TusServer } from './tus-server';

const CONTENT = 'application/offset+octet-stream';
const OVERRIDES = ['PATCH', 'HEAD', 'DELETE'];
const bytes = { type: 'integer', example: 73_400_320 } as const;

const OFFSET = { 'Upload-Offset': { description: 'Bytes that are stored', schema: bytes } };
const EXPIRES = {
  'Upload-Expires': {
    description: 'When the upload expires unless more is sent',
    schema: { type: 'string' as const, example: 'Sun, 01 Feb 2026 12:00:00 GMT' },
  },
};
const RECORDING = {
  'Recording-Id': {
    description: 'Id of the recording, once the upload is complete',
    schema: { type: 'string' as const, format: 'uuid' },
  },
};
const LOCATION = {
  Location: {
    description: 'Relative',
    schema: {
      type: 'string' as const,
      example:
        '/api/v1/calls/7f8c1c43-61ab-4a4c-9ea2-6d35b1f1a5a5/recording/tus/0b6a1f0e-9d3c-4c57-8a53-52f1d1a0e9b7',
    },
  },
};

const STORAGE_FULL =
  'The plan basic allows 20 GiB of recordings, files and unfinished uploads. The plan advanced allows more.';

/** Resumable uploads of recordings: tus 1.0.0 (https://tus.io/protocols/resumable-upload). */
@ApiTags('Recordings')
@ApiHeader({ name: 'Tus-Resumable', required: true, schema: { type: 'string', enum: ['1.0.0'] } })
@ApiFailure(412, 'Another version of the protocol', 'tus_version')
@ApiFailure(423, 'Another request for the upload is in progress', 'upload_locked')
@MinimumRole('attendant')
@UseInterceptors(VisibleCallInterceptor)
@Controller('api/v1/calls/:call_id/recording/tus')
export class RecordingUploadsController {
  constructor(private readonly tus: TusServer) {}

  @Post()
  @RequiresFeature('recording')
  @ApiOperation({ summary: 'Start a resumable upload of a recording' })
  @ApiHeader({ name: 'Upload-Length', required: false, description: 'Bytes', schema: bytes })
  @ApiHeader({
    name: 'Upload-Defer-Length',
    required: false,
    description: 'Instead of Upload-Length if the length is not known yet',
    schema: { type: 'string', enum: ['1'] },
  })
  @ApiHeader({
    name: 'Upload-Metadata',
    required: false,
    description:
      'Pairs of a name and a value in Base64. `filetype` is the declared type. `part`, a positive integer, makes the ' +
      'content a part of the recording that this user uploads of the call: WebM parts of the same tracks are joined ' +
      'into one recording in the order of their numbers, whatever the order of the uploads. Each part replaces the ' +
      'recording by one with another id; a part that the recording has adds nothing.',
    schema: { type: 'string', example: 'filetype dmlkZW8vd2VibQ==,part MQ==' },
  })
  @ApiConsumes(CONTENT)
  @ApiBody({ required: false, schema: { type: 'string', format: 'binary' } })
  @ApiResponse({
    status: 201,
    description: 'Started; no body',
    headers: { ...LOCATION, ...OFFSET, ...EXPIRES, ...RECORDING },
  })
  @ApiFailure(
    403,
    'The plan does not include recording, or its storage is used up',
    'plan_limit',
    STORAGE_FULL,
  )
  @ApiFailure(413, 'Longer than MAX_RECORDING_MB', 'payload_too_large')
  @ApiFailure(422, 'Empty, neither audio nor video, or too many unfinished uploads', 'too_many_uploads')
  create(
    @CurrentUser() user: Principal,
    @IdParam('call_id') callId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.tus.handle(scopeOf(user, callId), undefined, request, response);
  }

  @Head(':upload_id')
  @ApiOperation({ summary: 'Get the offset of an upload' })
  @ApiResponse({ status: 200, description: 'No body', headers: { ...OFFSET, ...EXPIRES } })
  status(
    @CurrentUser() user: Principal,
    @IdParam('call_id') callId: string,
    @IdParam('upload_id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.tus.handle(scopeOf(user, callId), id, request, response);
  }

  @Patch(':upload_id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Send the next bytes of an upload; the last ones complete the recording' })
  @ApiHeader({
    name: 'Upload-Offset',
    required: true,
    description: 'Offset of the first byte sent',
    schema: bytes,
  })
  @ApiConsumes(CONTENT)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiResponse({ status: 204, headers: { ...OFFSET, ...EXPIRES, ...RECORDING } })
  @ApiFailure(403, 'The storage of the plan is used up', 'plan_limit', STORAGE_FULL)
  @ApiFailure(409, 'The upload continues at another offset', 'offset_conflict')
  @ApiFailure(413, 'More than the length of the upload, or than MAX_RECORDING_MB', 'payload_too_large')
  @ApiFailure(422, 'Neither audio nor video: the upload was deleted', 'validation_failed')
  append(
    @CurrentUser() user: Principal,
    @IdParam('call_id') callId: string,
    @IdParam('upload_id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.tus.handle(scopeOf(user, callId), id, request, response);
  }

  @Post(':upload_id')
  @HttpCode(204)
  @ApiOperation({ summary: 'The same as PATCH, HEAD or DELETE, for clients that cannot send these' })
  @ApiHeader({
    name: 'X-HTTP-Method-Override',
    required: true,
    description: 'The method that counts; tus-js-client sends it with `overridePatchMethod`',
    schema: { type: 'string', enum: OVERRIDES },
  })
  @ApiHeader({ name: 'Upload-Offset', required: false, description: 'As for PATCH', schema: bytes })
  @ApiConsumes(CONTENT)
  @ApiBody({ required: false, schema: { type: 'string', format: 'binary' } })
  @ApiResponse({ status: 204, headers: { ...OFFSET, ...EXPIRES, ...RECORDING } })
  @ApiFailure(403, 'The storage of the plan is used up', 'plan_limit', STORAGE_FULL)
  @ApiFailure(409, 'The upload continues at another offset', 'offset_conflict')
  @ApiFailure(413, 'More than the length of the upload, or than MAX_RECORDING_MB', 'payload_too_large')
  @ApiFailure(422, 'Neither audio nor video: the upload was deleted', 'validation_failed')
  override(
    @CurrentUser() user: Principal,
    @IdParam('call_id') callId: string,
    @IdParam('upload_id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const method = request.get('X-HTTP-Method-Override')?.toUpperCase() ?? '';
    if (!OVERRIDES.includes(method))
      throw badRequest(`Send X-HTTP-Method-Override: ${OVERRIDES.join(', ')}.`);
    return this.tus.handle(scopeOf(user, callId), id, request, response, method);
  }

  @Delete(':upload_id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Cancel an upload' })
  @ApiResponse({ status: 204 })
  terminate(
    @CurrentUser() user: Principal,
    @IdParam('call_id') callId: string,
    @IdParam('upload_id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.tus.handle(scopeOf(user, callId), id, request, response);
  }
}

const scopeOf = ({ tenant_id, user_id }: Principal, call_id: string) => ({ tenant_id, user_id, call_id });
