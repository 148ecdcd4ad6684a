import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { notHeld } from '../../tenancy/legal-holds';
import { type RevocationReason, SessionRevoked } from './session.events';
import type { VerifiedAccount } from './login-account-finder';
import { addressInsertion } from './login-addresses';
import { hashToken, newOpaqueToken } from './opaque-token';
import type { SessionClient } from './session-client';
import type { Session } from './session.entity';
import { SessionStateCache } from './session-state-cache';
import { TokensService } from '../../platform/tokens/tokens.service';

export interface TokenPair {
  access_token: string;
  /** Seconds until the access token expires. */
  expires_in: number;
  refresh_token: string;
}

type SessionKey = Pick<Session, 'id' | 'tenant_id' | 'user_id'>;

const MAX_USER_AGENT_LENGTH = 300;

/**
 * One statement, since each costs as much as the rows that it writes. The update locks the user's row, before that of the
 * address.
 */
const OPEN = `WITH account AS (
    UPDATE users SET last_login_at = $7
    WHERE id = $3 AND active AND ($9::text IS NULL OR password_hash = $9)
      AND ($10::boolean IS NULL OR mfa_enabled = $10)
    RETURNING id
  ), session AS (
    INSERT INTO sessions (id, tenant_id, user_id, address, user_agent, expires_at, last_used_at, inserted_at)
    VALUES ($1, $2, (SELECT id FROM account), $4, $5, $6, $7, $7)
  ), address AS (
    ${addressInsertion('SELECT $2::uuid, id, $11::text, $7::timestamptz FROM account')}
  )
  INSERT INTO refresh_tokens (token_hash, tenant_id, session_id, expires_at) VALUES ($8, $2, $1, $6)`;

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

  /**
   * Opens a session without waiting, issues its first pair of tokens, records the time of the login and makes the client's
   * address known.
   * @param user the account, with what must not have changed since its password was verified: otherwise the transaction
   *   fails (isAccountChanged of login.ts). Without that, its row is locked already
   */
  open(
    tx: Transaction,
    user: Pick<VerifiedAccount, 'id' | 'tenant_id'> & Partial<VerifiedAccount>,
    client: SessionClient,
  ): { session_id: string; tokens: TokenPair } {
    const session = { id: randomUUID(), tenant_id: user.tenant_id, user_id: user.id };
    const refresh_token = newOpaqueToken();
    tx.send({
      text: OPEN,
      values: [
        session.id,
        user.tenant_id,
        user.id,
        client.address,
        client.user_agent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
        this.clock.in(this.config.refreshTokenTtl),
        this.clock.now(),
        hashToken(refresh_token),
        user.password_hash ?? null,
        user.mfa_enabled ?? null,
        client.counted_address,
      ],
    });
    return { session_id: session.id, tokens: this.tokensOf(session, refresh_token) };
  }

  /** Stores a further refresh token of the session, and extends the session to its expiry. */
  async extend(tx: Transaction, { id, tenant_id }: SessionKey, refreshToken: string): Promise<void> {
    const expires_at = this.clock.in(this.config.refreshTokenTtl);
    await settleAll([
      tx.query(
        `INSERT INTO refresh_tokens (token_hash, tenant_id, session_id, expires_at) VALUES ($1, $2, $3, $4)`,
        [hashToken(refreshToken), tenant_id, id, expires_at],
      ),
      tx.query('UPDATE sessions SET expires_at = $2, last_used_at = $3 WHERE id = $1', [
        id,
        expires_at,
        this.clock.now(),
      ]),
    ]);
  }

  /** The refresh token with a new access token of its session. */
  tokensOf(session: SessionKey, refresh_token: string): TokenPair {
    const expires_in = this.config.accessTokenTtl;
    return { access_token: this.signAccessToken(session), expires_in, refresh_token };
  }

  private signAccessToken({ id, tenant_id, user_id }: SessionKey): string {
    return this.tokens.sign('staff', { sub: user_id, tid: tenant_id, sid: id }, this.config.accessTokenTtl);
  }

  /** Ends sessions: after commit their tokens stop working and their sockets are disconnected. */
  async revoke(tx: Transaction, tenantId: string, ids: string[], reason: RevocationReason): Promise<void> {
    await this.end(tx, tenantId, 'id = ANY ($3)', [ids], reason);
    // Includes sessions that another instance ended before: this instance may still have them cached.
    tx.afterCommit(async () => ids.forEach((id) => this.states.markEnded(id)));
  }

  /** Ends every session of the user. @param keptId but this one */
  async revokeAll(
    tx: Transaction,
    tenantId: string,
    userId: string,
    reason: RevocationReason,
    keptId: string | null = null,
  ): Promise<void> {
    await this.end(tx, tenantId, 'user_id = $3 AND id IS DISTINCT FROM $4', [userId, keptId], reason);
  }

  private async end(
    tx: Transaction,
    tenantId: string,
    condition: string,
    values: unknown[],
    reason: RevocationReason,
  ): Promise<void> {
    const ended = await tx.query<{ id: string; user_id: string }>(
      `UPDATE sessions SET revoked_at = $2 WHERE tenant_id = $1 AND revoked_at IS NULL AND ${condition}
       RETURNING id, user_id`,
      [tenantId, this.clock.now(), ...values],
    );
    const at = this.clock.now().toISOString();
    for (const { id, user_id } of ended) {
      await this.events.record(tx, new SessionRevoked(tenantId, id, at, user_id, reason));
    }
  }

  /**
   * Deletes expired sessions, except those of held tenants, and expired refresh tokens: those of a held tenant, too, since
   * a hash of a token that no longer works shows nothing.
   */
  async deleteExpired(tx: Transaction): Promise<void> {
    await tx.query(`DELETE FROM sessions WHERE expires_at <= $1 AND ${notHeld('sessions.tenant_id')}`, [
      this.clock.now(),
    ]);
    await tx.query('DELETE FROM refresh_tokens WHERE expires_at <= $1', [this.clock.now()]);
  }
}
