import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { Jobs } from '../platform/jobs/jobs';
import { Tokens } from '../platform/tokens/tokens';
import { SessionRevoked } from './identity.events';
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
export class Sessions implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly tokens: Tokens,
    private readonly clock: Clock,
    private readonly events: EventBus,
    private readonly jobs: Jobs,
    private readonly states: SessionStates,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('purge-sessions', '17 3 * * *', () => this.purge());
  }

  /** Sessions that ran out, with their refresh tokens. */
  private async purge(): Promise<void> {
    await this.database.system((tx) =>
      tx.query('DELETE FROM sessions WHERE expires_at <= $1', [this.clock.now()]),
    );
  }

  /** Opens a session and gives its first pair of tokens. */
  async open(tx: Transaction, user: { id: string; tenant_id: string }, client: Client): Promise<TokenPair> {
    const sessions = tx.repository(Session);
    const session = await sessions.save(
      sessions.create({
        tenant_id: user.tenant_id,
        user_id: user.id,
        address: client.address,
        user_agent: client.user_agent?.slice(0, 300) ?? null,
        expires_at: this.clock.in(this.config.refreshTokenTtl),
      }),
    );
    return this.issue(tx, session);
  }

  /** A new pair for the session; the session now lasts as long as its newest refresh token. */
  async issue(tx: Transaction, session: Session): Promise<TokenPair> {
    const refresh_token = randomBytes(32).toString('base64url');
    const expires_at = this.clock.in(this.config.refreshTokenTtl);
    await tx.query(
      `INSERT INTO refresh_tokens (token_hash, tenant_id, session_id, expires_at) VALUES ($1, $2, $3, $4)`,
      [hashToken(refresh_token), session.tenant_id, session.id, expires_at],
    );
    await tx.query('UPDATE sessions SET expires_at = $2 WHERE id = $1', [session.id, expires_at]);
    const claims = { sub: session.user_id, tid: session.tenant_id, sid: session.id };
    const access_token = this.tokens.sign('staff', claims, this.config.accessTokenTtl);
    return { access_token, refresh_token };
  }

  /** Ends a session: its tokens stop working once the transaction commits, its sockets are cut. */
  async revoke(tx: Transaction, tenantId: string, sessionId: string): Promise<void> {
    const revoked = await tx.query(
      `UPDATE sessions SET revoked_at = $3 WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`,
      [tenantId, sessionId, this.clock.now()],
    );
    tx.afterCommit(async () => this.states.endHere(sessionId));
    if (revoked.length === 0) return;
    await this.events.record(tx, new SessionRevoked(tenantId, sessionId, this.clock.now().toISOString()));
  }

  /** Ends every session of the user. */
  async revokeAll(tx: Transaction, tenantId: string, userId: string): Promise<void> {
    const living = await tx.query<{ id: string }>(
      'SELECT id FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL',
      [tenantId, userId],
    );
    for (const { id } of living) await this.revoke(tx, tenantId, id);
  }
}

/** Refresh tokens have 256 random bits, so a plain hash is as good as any. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
