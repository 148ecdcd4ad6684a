import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import { ApiFailure } from '../platform/http/openapi/openapi.decorators';
import { Public } from '../platform/access/public.decorator';
import { ApiDownload, sendObject } from '../platform/http/downloads/send-object';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { STORAGE, type Storage } from '../platform/storage/storage';
import { TicketQuery } from './recording.dto';
import { RecordingTickets } from './recording-tickets';

/** Recordings as players fetch them. */
@ApiTags('Recordings')
@Public()
@RateLimit('asset')
@Controller('api/v1/recordings')
export class RecordingPlayerController {
  constructor(
    private readonly tickets: RecordingTickets,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  @Get('play')
  @Unwrapped()
  @ApiOperation({ summary: 'The recording that a ticket is for' })
  @ApiDownload('The recording', 'audio/*', 'video/*')
  @ApiFailure(401, 'The ticket is not valid, or has expired', 'token_expired')
  @ApiFailure(404, 'The recording is gone', 'not_found', 'Recording not found.')
  async play(
    @Query() { ticket }: TicketQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const recording = await this.tickets.redeem(ticket);
    // A console may stand on another origin than the API.
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
    await sendObject(request, response, this.storage, recording);
  }
}
