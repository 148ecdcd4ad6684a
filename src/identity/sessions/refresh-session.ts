import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { unauthenticated } from '../../platform/http/errors/api-error';
import { Tenant } from '../../tenancy/tenant.entity';
import { type LoginAnswerDto, toLoginUser } from './auth.dto';
import { Session } from './session.entity';
import { hashToken, newOpaqueToken } from './opaque-token';
import { SessionsService } from './sessions.service';
import { User } from '../users/user.entity';

interface RefreshToken {
  session_id: string;
  tenant_id: string;
  used_at: Date | null;
  expires_at: Date;
  /** Null in a token that was not used yet. */
  successor_salt: string | null;
}

/**
 * How long after its use a token answers with the same successor again: an answer can be lost, and two tabs can refresh at once.
 */
const REPEAT_SECONDS = 30;

/**
 * Rotates refresh tokens (RFC 9700, 4.14.2): each can be used once, and reusing one ends the session, unless it is repeated soon
 * and its successor was not used yet.
 */
@Injectable()
export class RefreshSession {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
  ) {}

  /** @throws 401 for an unknown, reused or expired token, or when its session, user or tenant is not active */
  async refresh(token: string): Promise<LoginAnswerDto> {
    const answer = await this.database.system(async (tx) => {
      const stored = await this.lockToken(tx, token);
      if (!stored || stored.expires_at <= this.clock.now()) return undefined;
      tx.narrow(stored.tenant_id);
      const salt = stored.successor_salt ?? newOpaqueToken();
      const successor = successorOf(token, salt);
      if (stored.used_at && !(await this.isRepeat(tx, stored.used_at, successor))) {
        // Throwing here would roll the revocation back; the 401 is thrown after the commit.
        await this.sessions.revoke(tx, stored.tenant_id, [stored.session_id], 'token_reused');
        return undefined;
      }
      const holder = await this.findHolder(tx, stored);
      if (!holder) return undefined;
      if (!stored.used_at) {
        await tx.query('UPDATE refresh_tokens SET used_at = $2, successor_salt = $3 WHERE token_hash = $1', [
          hashToken(token),
          this.clock.now(),
          salt,
        ]);
        await this.sessions.extend(tx, holder.session, successor);
      }
      const tokens = this.sessions.tokensOf(holder.session, successor);
      return { ...tokens, user: toLoginUser(holder.user) };
    });
    if (!answer)
      throw unauthenticated('The refresh token is not valid. Log in again.', 'invalid_refresh_token');
    return answer;
  }

  private lockToken(tx: Transaction, token: string): Promise<RefreshToken | undefined> {
    return tx.one<RefreshToken>(
      `SELECT session_id, tenant_id, used_at, expires_at, successor_salt FROM refresh_tokens
       WHERE token_hash = $1 FOR UPDATE`,
      [hashToken(token)],
    );
  }

  /** Whether the answer to a use at that time may be repeated. Locks the successor, so that it is not used meanwhile. */
  private async isRepeat(tx: Transaction, usedAt: Date, successor: string): Promise<boolean> {
    if (usedAt <= this.clock.in(-REPEAT_SECONDS)) return false;
    const unused = await tx.query(
      'SELECT FROM refresh_tokens WHERE token_hash = $1 AND used_at IS NULL FOR UPDATE',
      [hashToken(successor)],
    );
    return unused.length > 0;
  }

  private async findHolder(
    tx: Transaction,
    { session_id }: RefreshToken,
  ): Promise<{ session: Session; user: User } | undefined> {
    const session = await tx.repository(Session).findOneBy({ id: session_id });
    const user = session && (await tx.repository(User).findOneBy({ id: session.user_id }));
    const tenant = session && (await tx.repository(Tenant).findOneBy({ id: session.tenant_id }));
    if (!session || session.revoked_at || !user?.active || tenant?.suspended_at) return undefined;
    return { session, user };
  }
}

/** Derived, so that it can be answered again although only its hash is stored: without the used token the salt is worthless. */
const successorOf = (token: string, salt: string): string =>
  createHmac('sha256', token).update(salt).digest('base64url');
