import { Injectable } from '@nestjs/common';
import { type AccessClaims, SessionStateCache } from '../identity/sessions/session-state-cache';
import { unauthenticated } from '../platform/http/errors/api-error';
import type { Principal } from '../platform/access/principal';
import { TokenError } from '../platform/tokens/token-error';
import { TokensService } from '../platform/tokens/tokens.service';
import type { RecordingTicketDto } from './recording.dto';
import { RecordingList, type RecordingDownload, type RecordingSelector } from './recording-list';

/** The user and session that requested the ticket, and the recording it is valid for. */
interface TicketClaims extends AccessClaims {
  recording_id: string;
}

const TICKET_TTL_SECONDS = 300;

/** Signed URLs for media players, which cannot send an access token. Each plays one recording, for 5 minutes. */
@Injectable()
export class RecordingTickets {
  constructor(
    private readonly tokens: TokensService,
    private readonly sessions: SessionStateCache,
    private readonly recordings: RecordingList,
  ) {}

  /** @throws 404 */
  async issue(user: Principal, selector: RecordingSelector): Promise<RecordingTicketDto> {
    const { id } = await this.recordings.find(user.tenant_id, selector);
    const claims = { sub: user.user_id, tid: user.tenant_id, sid: user.session_id, recording_id: id };
    const ticket = this.tokens.sign('recording', claims, TICKET_TTL_SECONDS);
    return {
      url: `/api/v1/recordings/play?ticket=${ticket}`,
      expires_at: new Date(this.read(ticket).exp * 1000).toISOString(),
    };
  }

  /**
   * Returns the recording of a ticket. A ticket ends with the session that requested it.
   * @throws 401 for an invalid or expired ticket, 404 if the recording was deleted
   */
  async redeem(ticket: string): Promise<RecordingDownload> {
    const claims = this.read(ticket);
    await this.sessions.getState(claims);
    return this.recordings.find(claims.tid, { recording_id: claims.recording_id });
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
