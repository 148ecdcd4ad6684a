import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { forbidden, unauthenticated } from '../platform/http/api-error';
import type { Role } from '../platform/http/principal';
import type { LoginAnswerDto, LoginDto } from './auth.dto';
import { passwordFits } from './passwords';
import { type Client, Sessions } from './sessions';

interface Account {
  id: string;
  tenant_id: string;
  name: string;
  email: string;
  role: Role;
  active: boolean;
  password_hash: string | null;
  suspended: boolean;
}

@Injectable()
export class Login {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** @throws the same 401, after the same work, for a wrong tenant, e-mail or password */
  async login(input: LoginDto, client: Client): Promise<LoginAnswerDto> {
    const account = await this.find(input);
    if (!account?.active) {
      throw unauthenticated('Tenant, e-mail or password is wrong.', 'invalid_credentials');
    }
    if (account.suspended) throw forbidden('This tenant is suspended.', 'tenant_suspended');
    const { id, name, email, role } = account;
    return this.database.tenant(account.tenant_id, async (tx) => {
      const tokens = await this.sessions.open(tx, account, client);
      await tx.query('UPDATE users SET last_login_at = $2 WHERE id = $1', [id, this.clock.now()]);
      return { ...tokens, user: { id, name, email, role } };
    });
  }

  /**
   * The tenant is a slug, else a name, which several tenants may share: then the account whose password
   * fits. At least one password is always checked, be it against nothing.
   */
  private async find({ email, password, tenant }: LoginDto): Promise<Account | undefined> {
    const accounts = await this.candidates(email, tenant);
    const fitting = await Promise.all(
      (accounts.length > 0 ? accounts : [undefined]).map(async (account) =>
        (await passwordFits(account?.password_hash ?? null, password)) ? account : undefined,
      ),
    );
    const known = fitting.filter((account) => account !== undefined);
    return known.find((account) => account.active && !account.suspended) ?? known[0];
  }

  private async candidates(email: string, tenant: string): Promise<Account[]> {
    const [rows] = await this.database.readSystem<[Account]>([
      {
        text: `WITH matches AS (
            SELECT id, suspended_at, lower(slug) = lower($2) AS by_slug FROM tenants
            WHERE lower(slug) = lower($2) OR lower(name) = lower($2))
          SELECT u.id, u.tenant_id, u.name, u.email, u.role, u.active, u.password_hash,
            m.suspended_at IS NOT NULL AS suspended
          FROM users u JOIN matches m ON m.id = u.tenant_id
          WHERE lower(u.email) = lower($1)
            AND (m.by_slug OR NOT EXISTS (SELECT FROM matches WHERE by_slug))
          ORDER BY u.active DESC, m.suspended_at IS NULL DESC, u.inserted_at LIMIT 5`,
        values: [email, tenant],
      },
    ]);
    return rows;
  }
}
