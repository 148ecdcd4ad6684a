import { Controller, Get, HttpCode, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { VisibleCallInterceptor } from '../../calls/staff/visible-call.interceptor';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import type { Principal } from '../../platform/access/principal';
import { RequiresFeature } from '../../plans/feature.guard';
import { RecordingQuery } from '../recording.dto';
import { ResultsOfCall } from './results-of-call';
import { RetriedDto, SummaryDto, TranscriptDto } from './transcript.dto';

@ApiTags('Recordings')
@MinimumRole('attendant')
@UseInterceptors(VisibleCallInterceptor)
@Controller('api/v1/calls/:call_id')
export class TranscriptsController {
  constructor(private readonly results: ResultsOfCall) {}

  @Get('transcript')
  @RequiresFeature('transcription')
  @ApiOperation({
    summary: 'What was said in a call: in its newest recording, unless recording_id names one',
  })
  @ApiData(TranscriptDto)
  @ApiFailure(
    404,
    'No such call, or no transcript: `none`, `not_ready` or `failed`',
    'not_ready',
    'The transcript is not ready yet.',
  )
  transcript(
    @CurrentUser() user: Principal,
    @IdParam('call_id') id: string,
    @Query() { recording_id }: RecordingQuery,
  ): Promise<TranscriptDto> {
    return this.results.transcript(user, id, recording_id);
  }

  @Get('summary')
  @RequiresFeature('ai_summaries')
  @ApiOperation({ summary: 'What a model has made of the transcript' })
  @ApiData(SummaryDto)
  @ApiFailure(
    404,
    'No such call, or no summary: `none`, `not_ready` or `failed`',
    'not_ready',
    'The summary is not ready yet.',
  )
  summary(
    @CurrentUser() user: Principal,
    @IdParam('call_id') id: string,
    @Query() { recording_id }: RecordingQuery,
  ): Promise<SummaryDto> {
    return this.results.summary(user, id, recording_id);
  }

  @Post('transcript/retry')
  @HttpCode(202)
  @MinimumRole('supervisor')
  @RequiresFeature('transcription')
  @ApiOperation({ summary: 'Ask for a transcript or a summary that failed, or that is missing' })
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
    return this.results.retry(user, id, recording_id);
  }
}
