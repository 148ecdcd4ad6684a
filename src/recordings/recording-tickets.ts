import { Injectable } from '@nestjs/common';
import { unauthenticated } from '../platform/http/api-error';
import { TokenError, Tokens } from '../platform/tokens/tokens';
import type { RecordingTicketDto } from './recording.dto';
import { RecordingList, type PlayableRecording, type WhichRecording } from './recording-list';

interface TicketClaims {
  /** The recording. */
  sub: string;
  tid: string;
  exp: number;
}

const GOOD_FOR_SECONDS = 300;

/** Addresses for players, which cannot send an access token: each plays one recording, for 5 minutes. */
@Injectable()
export class RecordingTickets {
  constructor(
    private readonly tokens: Tokens,
    private readonly recordings: RecordingList,
  ) {}

  /** @throws 404 */
  async issue(tenantId: string, which: WhichRecording): Promise<RecordingTicketDto> {
    const { id } = await this.recordings.find(tenantId, which);
    const ticket = this.tokens.sign('recording', { sub: id, tid: tenantId }, GOOD_FOR_SECONDS);
    return {
      url: `/api/v1/recordings/play?ticket=${ticket}`,
      expires_at: new Date(this.read(ticket).exp * 1000).toISOString(),
    };
  }

  /** @throws 401 for a ticket that is not genuine or has expired, 404 when the recording is gone */
  async redeem(ticket: string): Promise<PlayableRecording> {
    const { tid, sub } = this.read(ticket);
    return this.recordings.find(tid, { recording_id: sub });
  }

  private read(ticket: string): TicketClaims {
    try {
      return this.tokens.verify<TicketClaims>('recording', ticket);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      throw unauthenticated('The ticket is not valid or has expired.', error.code);
    }
  }
}
