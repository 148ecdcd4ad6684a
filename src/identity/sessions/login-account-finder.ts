import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Role } from '../../platform/access/principal';

/** An account, with what a login checks. */
export interface LoginAccount {
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
  account: LoginAccount | null;
}

/** The accounts and tenants that an e-mail and a tenant's slug or name match. */
export interface LoginCandidates {
  accounts: LoginAccount[];
  /** All matching tenants, also those without an account of that e-mail. */
  tenant_ids: string[];
}

/** Bounds the number of password hashes that one login verifies; few tenants share a name. */
const MAX_MATCHES = 5;

const MATCHES = `matches AS (
    SELECT id, suspended_at, lower(slug) = lower($2) AS by_slug FROM tenants
    WHERE lower(slug) = lower($2) OR lower(name) = lower($2))`;

/** Finds the accounts that a login may refer to, across tenants. */
@Injectable()
export class LoginAccountFinder {
  constructor(private readonly database: Database) {}

  /**
   * Matches the tenant by slug, else by name. Several tenants can share a name: then the account of that
   * e-mail in each of them is a candidate, active accounts first.
   */
  async find(email: string, tenant: string): Promise<LoginCandidates> {
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
          ORDER BY u.id IS NULL, u.active DESC, m.suspended_at IS NULL DESC, u.inserted_at LIMIT ${MAX_MATCHES}`,
        values: [email, tenant],
      },
    ]);
    return {
      accounts: matches.flatMap(({ account }) => account ?? []),
      tenant_ids: matches.map(({ tenant_id }) => tenant_id),
    };
  }
}
