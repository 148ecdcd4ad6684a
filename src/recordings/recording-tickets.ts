import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CallAccess } from '../calls/staff/call-access';
import { type AccessClaims, SessionStateCache } from '../identity/sessions/session-state-cache';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { EventBus } from '../platform/events/event-bus';
import { ApiError, unauthenticated } from '../platform/http/errors/api-error';
import { setActor } from '../platform/logging/request-context';
import type { Principal } from '../platform/access/principal';
import { TokenError } from '../platform/tokens/token-keys';
import { TokensService } from '../platform/tokens/tokens.service';
import type { RecordingTicketDto } from './recording.dto';
import { RecordingTicketIssued } from './recording.events';
import { RecordingList, type RecordingDownload, type RecordingSelector } from './recording-list';

/** The user and session that requested the ticket, and the recording it is valid for. */
interface TicketClaims extends AccessClaims {
  recording_id: string;
  ticket_id: string;
}

/** What a ticket gives. */
interface TicketedRecording extends RecordingDownload {
  tenant_id: string;
  ticket_id: string;
}

const TICKET_TTL_SECONDS = 300;

/**
 * Signed URLs for media players, which cannot send an access token. Each plays one recording, for 5 minutes, and no longer
 * than its user may see the call.
 */
@Injectable()
export class RecordingTickets {
  constructor(
    private readonly tokens: TokensService,
    private readonly sessions: SessionStateCache,
    private readonly recordings: RecordingList,
    private readonly database: Database,
    private readonly access: CallAccess,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 404 */
  async issue(user: Principal, selector: RecordingSelector): Promise<RecordingTicketDto> {
    const { tenant_id, user_id, session_id } = user;
    const { id, call_id } = await this.recordings.find(tenant_id, selector);
    const ticket_id = randomUUID();
    const claims = { sub: user_id, tid: tenant_id, sid: session_id, recording_id: id, ticket_id };
    const ticket = this.tokens.sign('recording', claims, TICKET_TTL_SECONDS);
    const at = this.clock.now().toISOString();
    await this.database.tenant(tenant_id, (tx) =>
      this.events.record(tx, new RecordingTicketIssued(tenant_id, id, at, call_id, ticket_id)),
    );
    return {
      url: `/api/v1/recordings/play?ticket=${ticket}`,
      expires_at: new Date(this.read(ticket).exp * 1000).toISOString(),
    };
  }

  /**
   * Returns the recording of a ticket, as which request its user is recorded. The user's present rights decide, at most 4 s old as
   * those of every request.
   * @throws 401 for an invalid or expired ticket, and if the user could not get the recording by themselves any more: the
   *   session has ended, the call is hidden from them, or the recording was deleted
   */
  async redeem(ticket: string): Promise<TicketedRecording> {
    const claims = this.read(ticket);
    const user = await this.sessions.getState(claims);
    if (user.must_enrol) throw invalidTicket();
    const recording = await this.findVisible(user, claims.recording_id);
    setActor(user);
    return { ...recording, tenant_id: user.tenant_id, ticket_id: claims.ticket_id };
  }

  private async findVisible(user: Principal, recording_id: string): Promise<RecordingDownload> {
    try {
      const recording = await this.recordings.find(user.tenant_id, { recording_id });
      await this.database.tenant(user.tenant_id, (tx) =>
        this.access.ensureVisible(tx, user, recording.call_id),
      );
      return recording;
    } catch (error) {
      throw error instanceof ApiError && error.code === 'not_found' ? invalidTicket() : error;
    }
  }

  private read(ticket: string): TicketClaims {
    try {
      return this.tokens.verify<TicketClaims>('recording', ticket);
    } catch (error) {
      throw error instanceof TokenError ? invalidTicket(error.code) : error;
    }
  }
}

const invalidTicket = (code: TokenError['code'] = 'token_invalid') =>
  unauthenticated('The ticket is not valid or has expired.', code);
