import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { Jobs } from '../../platform/jobs/jobs';
import { TokensService } from '../../platform/tokens/tokens.service';
import { type RevocationReason, SessionRevoked } from '../identity.events';
import { Session } from './session.entity';
import { SessionStates } from './session-states';

export interface TokenPair {
  access_token: string;
  refresh_token: string;
}

export interface Client {
  address: string | null;
  user_agent: string | null;
}

/** Sessions from login to their end, and the tokens that belong to them. */
@Injectable()
export class SessionsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly tokens: TokensService,
    private readonly clock: Clock,
    private readonly events: EventBus,
    private readonly jobs: Jobs,
    private readonly states: SessionStates,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('purge-sessions', '17 3 * * *', () => this.purge());
  }

  /** Whatever ran out: sessions, refresh tokens of those that go on, attempts at the second factor, mailed links. */
  private async purge(): Promise<void> {
    await this.database.system(async (tx) => {
      for (const table of ['sessions', 'refresh_tokens', 'mfa_attempts', 'password_resets']) {
        await tx.query(`DELETE FROM ${table} WHERE expires_at <= $1`, [this.clock.now()]);
      }
    });
  }

  /** Opens a session and gives its first pair of tokens. */
  async open(
    tx: Transaction,
    user: { id: string; tenant_id: string },
    client: Client,
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
      }),
    );
    return { session_id: session.id, tokens: await this.issue(tx, session) };
  }

  /** A new pair for the session; the session now lasts as long as its newest refresh token. */
  async issue(tx: Transaction, session: Session): Promise<TokenPair> {
    const refresh_token = randomBytes(32).toString('base64url');
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

  /** Ends sessions: their tokens stop working once the transaction commits, their sockets are cut. */
  async revoke(tx: Transaction, tenantId: string, ids: string[], reason: RevocationReason): Promise<void> {
    await this.end(tx, tenantId, 'id = ANY ($3)', ids, reason);
    // Those that had ended before, too: this instance may not have heard of it.
    tx.afterCommit(async () => ids.forEach((id) => this.states.endHere(id)));
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
    which: string,
    value: unknown,
    reason: RevocationReason,
  ): Promise<void> {
    const ended = await tx.query<{ id: string; user_id: string }>(
      `UPDATE sessions SET revoked_at = $2 WHERE tenant_id = $1 AND revoked_at IS NULL AND ${which}
       RETURNING id, user_id`,
      [tenantId, this.clock.now(), value],
    );
    const at = this.clock.now().toISOString();
    for (const { id, user_id } of ended) {
      await this.events.record(tx, new SessionRevoked(tenantId, id, at, user_id, reason));
    }
  }
}

/** Refresh tokens have 256 random bits, so a plain hash is as good as any. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
