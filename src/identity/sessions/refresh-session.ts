import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { unauthenticated } from '../../platform/http/errors/api-error';
import { Tenant } from '../../tenancy/tenant.entity';
import { type LoginAnswerDto, loginUser } from './auth.dto';
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

/** Rotation of refresh tokens (RFC 9700, 4.14.2): each is good once, and a second use ends the session. */
@Injectable()
export class RefreshSession {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
  ) {}

  /** @throws 401 for an unknown, used or expired token, or when its session or user is no longer good */
  async refresh(token: string): Promise<LoginAnswerDto> {
    const answer = await this.database.system(async (tx) => {
      const known = await this.lockToken(tx, token);
      if (!known || known.expires_at <= this.clock.now()) return undefined;
      await tx.narrow(known.tenant_id);
      if (known.used_at) {
        // Thrown here, the refusal would undo the revocation: it has to be committed first.
        await this.sessions.revoke(tx, known.tenant_id, [known.session_id], 'token_reused');
        return undefined;
      }
      return this.rotate(tx, hashToken(token), known);
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
    known: RefreshToken,
  ): Promise<LoginAnswerDto | undefined> {
    const session = await tx.repository(Session).findOneBy({ id: known.session_id });
    const user = session && (await tx.repository(User).findOneBy({ id: session.user_id }));
    const tenant = session && (await tx.repository(Tenant).findOneBy({ id: session.tenant_id }));
    if (!session || session.revoked_at || !user?.active || tenant?.suspended_at) return undefined;
    await tx.query('UPDATE refresh_tokens SET used_at = $2 WHERE token_hash = $1', [hash, this.clock.now()]);
    const tokens = await this.sessions.issue(tx, session);
    return { ...tokens, user: loginUser(user) };
  }
}
