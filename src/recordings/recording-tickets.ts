import { Injectable } from '@nestjs/common';
import { type AccessClaims, SessionStateCache } from '../identity/sessions/session-state-cache';
import { unauthenticated } from '../platform/http/errors/api-error';
import type { Principal } from '../platform/access/principal';
import { TokenError, Tokens } from '../platform/tokens/tokens';
import type { RecordingTicketDto } from './recording.dto';
import { RecordingList, type PlayableRecording, type WhichRecording } from './recording-list';

/** Who had it issued, in which session, and for which recording. */
interface TicketClaims extends AccessClaims {
  recording_id: string;
}

const GOOD_FOR_SECONDS = 300;

/** Addresses for players, which cannot send an access token: each plays one recording, for 5 minutes. */
@Injectable()
export class RecordingTickets {
  constructor(
    private readonly tokens: Tokens,
    private readonly sessions: SessionStateCache,
    private readonly recordings: RecordingList,
  ) {}

  /** @throws 404 */
  async issue(user: Principal, which: WhichRecording): Promise<RecordingTicketDto> {
    const { id } = await this.recordings.find(user.tenant_id, which);
    const claims = { sub: user.user_id, tid: user.tenant_id, sid: user.session_id, recording_id: id };
    const ticket = this.tokens.sign('recording', claims, GOOD_FOR_SECONDS);
    return {
      url: `/api/v1/recordings/play?ticket=${ticket}`,
      expires_at: new Date(this.read(ticket).exp * 1000).toISOString(),
    };
  }

  /**
   * It ends with the session in which it was issued.
   * @throws 401 for a ticket that is not genuine or has expired, 404 when the recording is gone
   */
  async redeem(ticket: string): Promise<PlayableRecording> {
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
