import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { type RevocationReason, SessionRevoked } from './session.events';
import { hashToken, newOpaqueToken } from './opaque-token';
import type { SessionClient } from './session-client';
import { Session } from './session.entity';
import { SessionStateCache } from './session-state-cache';
import { TokensService } from '../../platform/tokens/tokens.service';

export interface TokenPair {
  access_token: string;
  refresh_token: string;
}

/** Opens and revokes sessions and issues their tokens; owns the tables sessions and refresh_tokens. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly tokens: TokensService,
    private readonly clock: Clock,
    private readonly events: EventBus,
    private readonly states: SessionStateCache,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Opens a session and issues its first pair of tokens. */
  async open(
    tx: Transaction,
    user: { id: string; tenant_id: string },
    client: SessionClient,
  ): Promise<{ session_id: string; tokens: TokenPair }> {
    const sessions = tx.repository(Session);
    const session = await sessions.save(
      sessions.create({
        tenant_id: user.tenant_id,
        user_id: user.id,
        address: client.address,
        user_agent: client.user_agent?.slice(0, 300) ?? null,
        expires_at: this.clock.in(this.config.refreshTokenTtl),
        last_used_at: this.clock.now(),
        inserted_at: this.clock.now(),
      }),
    );
    return { session_id: session.id, tokens: await this.issue(tx, session) };
  }

  /** Issues a new pair of tokens and extends the session to the expiry of its newest refresh token. */
  async issue(tx: Transaction, session: Session): Promise<TokenPair> {
    const refresh_token = newOpaqueToken();
    const expires_at = this.clock.in(this.config.refreshTokenTtl);
    await tx.query(
      `INSERT INTO refresh_tokens (token_hash, tenant_id, session_id, expires_at) VALUES ($1, $2, $3, $4)`,
      [hashToken(refresh_token), session.tenant_id, session.id, expires_at],
    );
    await tx.query('UPDATE sessions SET expires_at = $2, last_used_at = $3 WHERE id = $1', [
      session.id,
      expires_at,
      this.clock.now(),
    ]);
    const claims = { sub: session.user_id, tid: session.tenant_id, sid: session.id };
    const access_token = this.tokens.sign('staff', claims, this.config.accessTokenTtl);
    return { access_token, refresh_token };
  }

  /** Ends sessions: after commit their tokens stop working and their sockets are disconnected. */
  async revoke(tx: Transaction, tenantId: string, ids: string[], reason: RevocationReason): Promise<void> {
    await this.end(tx, tenantId, 'id = ANY ($3)', ids, reason);
    // Includes sessions that another instance ended before: this instance may still have them cached.
    tx.afterCommit(async () => ids.forEach((id) => this.states.markEnded(id)));
  }

  /** Ends every session of the user. */
  async revokeAll(
    tx: Transaction,
    tenantId: string,
    userId: string,
    reason: RevocationReason,
  ): Promise<void> {
    await this.end(tx, tenantId, 'user_id = $3', userId, reason);
  }

  private async end(
    tx: Transaction,
    tenantId: string,
    condition: string,
    value: unknown,
    reason: RevocationReason,
  ): Promise<void> {
    const ended = await tx.query<{ id: string; user_id: string }>(
      `UPDATE sessions SET revoked_at = $2 WHERE tenant_id = $1 AND revoked_at IS NULL AND ${condition}
       RETURNING id, user_id`,
      [tenantId, this.clock.now(), value],
    );
    const at = this.clock.now().toISOString();
    for (const { id, user_id } of ended) {
      await this.events.record(tx, new SessionRevoked(tenantId, id, at, user_id, reason));
    }
  }

  /** Deletes expired sessions, and expired refresh tokens of sessions that are still open. */
  async deleteExpired(tx: Transaction): Promise<void> {
    await tx.query('DELETE FROM sessions WHERE expires_at <= $1', [this.clock.now()]);
    await tx.query('DELETE FROM refresh_tokens WHERE expires_at <= $1', [this.clock.now()]);
  }
}
