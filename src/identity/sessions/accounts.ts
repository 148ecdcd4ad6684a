import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Role } from '../../platform/access/roles';

/** What a login needs to know of somebody. */
export interface Account {
  id: string;
  tenant_id: string;
  name: string;
  email: string;
  role: Role;
  active: boolean;
  password_hash: string | null;
  suspended: boolean;
}

interface Match {
  tenant_id: string;
  account: Account | null;
}

/** Whom an e-mail and a tenant may mean. */
export interface Candidates {
  accounts: Account[];
  /** The tenants that were meant, whether or not they know the e-mail. */
  tenant_ids: string[];
}

/** Tenants of one name are rare; so many at most are looked into. */
const MOST = 5;

const MATCHES = `matches AS (
    SELECT id, suspended_at, lower(slug) = lower($2) AS by_slug FROM tenants
    WHERE lower(slug) = lower($2) OR lower(name) = lower($2))`;

/** Finds the people who may be logging in, across tenants. */
@Injectable()
export class LoginAccounts {
  constructor(private readonly database: Database) {}

  /**
   * The tenant is a slug, else a name, which several tenants may share: then each one's account of that
   * e-mail is a candidate, those in use first.
   */
  async find(email: string, tenant: string): Promise<Candidates> {
    const [matches] = await this.database.readSystem<[Match]>([
      {
        name: 'accounts-of-login',
        text: `WITH ${MATCHES}
          SELECT m.id AS tenant_id, CASE WHEN u.id IS NOT NULL THEN jsonb_build_object(
            'id', u.id, 'tenant_id', u.tenant_id, 'name', u.name, 'email', u.email, 'role', u.role,
            'active', u.active, 'password_hash', u.password_hash,
            'suspended', m.suspended_at IS NOT NULL) END AS account
          FROM matches m LEFT JOIN users u ON u.tenant_id = m.id AND lower(u.email) = lower($1)
          WHERE m.by_slug OR NOT EXISTS (SELECT FROM matches WHERE by_slug)
          ORDER BY u.id IS NULL, u.active DESC, m.suspended_at IS NULL DESC, u.inserted_at LIMIT ${MOST}`,
        values: [email, tenant],
      },
    ]);
    return {
      accounts: matches.flatMap(({ account }) => account ?? []),
      tenant_ids: matches.map(({ tenant_id }) => tenant_id),
    };
  }
}
