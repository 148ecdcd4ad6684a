import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Principal } from '../../platform/access/principal';
import { hashToken } from './opaque-token';
import { SessionsService } from './sessions.service';

@Injectable()
export class Logout {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
  ) {}

  /** Ends the caller's session, and the refresh token's session if it is another one of the caller's. */
  async logout(user: Principal, refreshToken: string | null): Promise<void> {
    await this.database.tenant(user.tenant_id, async (tx) => {
      const others = await tx.query<{ session_id: string }>(
        `SELECT r.session_id FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id
         WHERE r.token_hash = $1 AND s.user_id = $2`,
        [hashToken(refreshToken ?? ''), user.user_id],
      );
      const ids = new Set([user.session_id, ...others.map((other) => other.session_id)]);
      await this.sessions.revoke(tx, user.tenant_id, [...ids], 'logout');
    });
  }
}
