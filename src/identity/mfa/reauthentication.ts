import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { forbidden, invalidField } from '../../platform/http/errors/api-error';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter';
import { PasswordHasher } from '../users/password-hasher';

const RECENT_SECONDS = 600;

interface Login {
  is_recent: boolean;
  password_hash: string | null;
}

/** Ensures that the user, and not just a holder of their access token, requests a sensitive action. */
@Injectable()
export class Reauthentication {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly rateLimiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /**
   * Requires a login at most 10 minutes old, or the password. Refreshing a session does not make its login recent.
   * @throws 403 reauthentication_required without either; 422 for a wrong password; 429 after too many passwords
   */
  async ensure({ tenant_id, user_id, session_id }: Principal, password: string | null): Promise<void> {
    const [[login]] = await this.database.readTenant<[Login]>(tenant_id, [
      {
        text: `SELECT s.inserted_at > $3 AS is_recent, u.password_hash
               FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.tenant_id = $1 AND s.id = $2`,
        values: [tenant_id, session_id, this.clock.in(-RECENT_SECONDS)],
      },
    ]);
    if (login?.is_recent) return;
    if (password === null) {
      throw forbidden(
        'Your login is older than 10 minutes. Log in again, or send your password.',
        'reauthentication_required',
      );
    }
    await this.rateLimiter.consume('password', user_id);
    if (!(await this.hasher.matches(login?.password_hash ?? null, password))) {
      throw invalidField('password', 'is wrong');
    }
    await this.rateLimiter.reset('password', user_id);
  }
}
