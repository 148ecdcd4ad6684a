import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { unauthenticated } from '../../platform/http/errors/api-error';
import { Tenant } from '../../tenancy/tenant.entity';
import { type LoginAnswerDto, toLoginUser } from './auth.dto';
import { Session } from './session.entity';
import { hashToken } from './opaque-token';
import { SessionsService } from './sessions.service';
import { User } from '../users/user.entity';

interface RefreshToken {
  session_id: string;
  tenant_id: string;
  used_at: Date | null;
  expires_at: Date;
}

/** Rotates refresh tokens (RFC 9700, 4.14.2): each can be used once, and reusing one ends the session. */
@Injectable()
export class RefreshSession {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
  ) {}

  /** @throws 401 for an unknown, used or expired token, or when its session, user or tenant is not active */
  async refresh(token: string): Promise<LoginAnswerDto> {
    const answer = await this.database.system(async (tx) => {
      const stored = await this.lockToken(tx, token);
      if (!stored || stored.expires_at <= this.clock.now()) return undefined;
      tx.narrow(stored.tenant_id);
      if (stored.used_at) {
        // Throwing here would roll the revocation back; the 401 is thrown after the commit.
        await this.sessions.revoke(tx, stored.tenant_id, [stored.session_id], 'token_reused');
        return undefined;
      }
      return this.rotate(tx, hashToken(token), stored);
    });
    if (!answer)
      throw unauthenticated('The refresh token is not valid. Log in again.', 'invalid_refresh_token');
    return answer;
  }

  private lockToken(tx: Transaction, token: string): Promise<RefreshToken | undefined> {
    return tx.one<RefreshToken>(
      `SELECT session_id, tenant_id, used_at, expires_at FROM refresh_tokens WHERE token_hash = $1 FOR UPDATE`,
      [hashToken(token)],
    );
  }

  private async rotate(
    tx: Transaction,
    hash: string,
    stored: RefreshToken,
  ): Promise<LoginAnswerDto | undefined> {
    const session = await tx.repository(Session).findOneBy({ id: stored.session_id });
    const user = session && (await tx.repository(User).findOneBy({ id: session.user_id }));
    const tenant = session && (await tx.repository(Tenant).findOneBy({ id: session.tenant_id }));
    if (!session || session.revoked_at || !user?.active || tenant?.suspended_at) return undefined;
    await tx.query('UPDATE refresh_tokens SET used_at = $2 WHERE token_hash = $1', [hash, this.clock.now()]);
    const tokens = await this.sessions.issue(tx, session);
    return { ...tokens, user: toLoginUser(user) };
  }
}
