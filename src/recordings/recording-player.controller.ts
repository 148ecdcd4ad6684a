import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DownloadLog } from '../audit/download-log';
import { Unwrapped } from '../platform/http/envelope.interceptor';
import { ApiFailure } from '../platform/http/openapi/openapi.decorators';
import { Public } from '../platform/access/access.decorators';
import { ApiDownload, sendObject } from '../files/downloads/send-object';
import { RateLimit } from '../platform/rate-limit/rate-limit.decorator';
import { STORAGE, type Storage } from '../platform/storage/storage';
import { TicketQuery } from './recording.dto';
import { RecordingDownloaded, RecordingPlayed } from './recording.events';
import { RecordingTickets } from './recording-tickets';

/** Serves recordings to media players, which cannot send an access token. */
@ApiTags('Recordings')
@Public()
@RateLimit('asset')
@Controller('api/v1/recordings')
export class RecordingPlayerController {
  constructor(
    private readonly tickets: RecordingTickets,
    private readonly downloads: DownloadLog,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  @Get('play')
  @Unwrapped()
  @ApiOperation({ summary: 'Play or download the recording of a ticket' })
  @ApiDownload('The recording', 'audio/*', 'video/*')
  @ApiFailure(
    401,
    'The ticket is not valid or has expired, its user may not see the call any more, or the recording was deleted',
    'token_expired',
  )
  @ApiFailure(404, 'The storage has lost the content', 'not_found', 'Not found.')
  async play(
    @Query() { ticket, download }: TicketQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { ticket_id, ...recording } = await this.tickets.redeem(ticket);
    const is_attachment = download === 'true';
    // The console may have another origin than the API.
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
    await sendObject(request, response, this.storage, { ...recording, is_attachment }, () =>
      this.downloads.record(
        is_attachment ? RecordingDownloaded : RecordingPlayed,
        { ...recording, key: { ticket_id } },
        true,
      ),
    );
  }
}
