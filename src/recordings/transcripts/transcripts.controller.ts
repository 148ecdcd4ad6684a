import { Controller, Get, HttpCode, Post, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { VisibleCallInterceptor } from '../../calls/staff/visible-call.interceptor';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import type { Principal } from '../../platform/access/principal';
import { RequiresFeature } from '../../plans/plan.guard';
import { RecordingQuery } from '../recording.dto';
import { TranscriptsService } from './transcripts.service';
import { RetriedDto, SummaryDto, TranscriptDto } from './transcript.dto';

@ApiTags('Recordings')
@MinimumRole('attendant')
@UseInterceptors(VisibleCallInterceptor)
@Controller('api/v1/calls/:call_id')
export class TranscriptsController {
  constructor(private readonly transcripts: TranscriptsService) {}

  @Get('transcript')
  @RequiresFeature('transcription')
  @ApiOperation({
    summary: 'Get the transcript of a call: of its newest recording, or of the one given by recording_id',
  })
  @ApiData(TranscriptDto)
  @ApiFailure(
    404,
    'Unknown call, or no transcript: `none`, `not_ready` or `failed`',
    'not_ready',
    'The transcript is not ready yet.',
  )
  transcript(
    @CurrentUser() user: Principal,
    @IdParam('call_id') id: string,
    @Query() { recording_id }: RecordingQuery,
    @Req() { method }: Request,
  ): Promise<TranscriptDto> {
    return this.transcripts.transcript(user, { call_id: id, recording_id, isHandedOut: method !== 'HEAD' });
  }

  @Get('summary')
  @RequiresFeature('ai_summaries')
  @ApiOperation({ summary: 'Get the summary of a call, generated from its transcript' })
  @ApiData(SummaryDto)
  @ApiFailure(
    404,
    'Unknown call, or no summary: `none`, `not_ready` or `failed`',
    'not_ready',
    'The summary is not ready yet.',
  )
  summary(
    @CurrentUser() user: Principal,
    @IdParam('call_id') id: string,
    @Query() { recording_id }: RecordingQuery,
    @Req() { method }: Request,
  ): Promise<SummaryDto> {
    return this.transcripts.summary(user, { call_id: id, recording_id, isHandedOut: method !== 'HEAD' });
  }

  @Post('transcript/retry')
  @HttpCode(202)
  @MinimumRole('supervisor')
  @RequiresFeature('transcription')
  @ApiOperation({ summary: 'Request a transcript or summary that failed or is missing' })
  @ApiData(RetriedDto, { status: 202 })
  @ApiFailure(
    422,
    'Nothing has failed or is missing',
    'not_failed',
    'Neither the transcript nor the summary has failed or is missing.',
  )
  retry(
    @CurrentUser() user: Principal,
    @IdParam('call_id') id: string,
    @Query() { recording_id }: RecordingQuery,
  ): Promise<RetriedDto> {
    return this.transcripts.retry(user, id, recording_id);
  }
}
