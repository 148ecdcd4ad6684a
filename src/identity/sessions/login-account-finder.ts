import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Role } from '../../platform/access/roles';
import { LoginAddresses } from './login-addresses';

/** An account, with what a login checks. */
export interface LoginAccount {
  id: string;
  tenant_id: string;
  name: string;
  email: string;
  role: Role;
  active: boolean;
  password_hash: string | null;
  mfa_enabled: boolean;
  suspended: boolean;
  /** Whether the user has logged in or chosen a password by a mailed link from the client's address in 30 days. */
  is_address_known: boolean;
}

/** What must not have changed since the password of a login was verified. */
export type VerifiedAccount = Pick<LoginAccount, 'id' | 'tenant_id' | 'password_hash' | 'mfa_enabled'>;

interface Match {
  tenant_id: string;
  by_slug: boolean;
  account: LoginAccount | null;
}

/** The accounts and tenants that an e-mail and a tenant's slug or name match. */
export interface LoginCandidates {
  accounts: LoginAccount[];
  /**
   * The tenants that the login probably means, also those without an account of that e-mail: the one of that slug, else
   * those of that name.
   */
  tenant_ids: string[];
}

/** Bounds the number of password hashes that one login verifies; few tenants share a name. */
const MAX_CANDIDATES = 3;

/**
 * Slugs are in lower case. All conditions use indexes, also as a role to which row-level security applies.
 *
 * The places go to accounts that can log in first. Of these the tenant of that slug has one in any case: otherwise
 * strangers could take all of them with newer tenants of that name and the user's e-mail address.
 */
export const CANDIDATES = `WITH named AS (
    SELECT id, inserted_at, suspended_at, true AS by_slug FROM tenants WHERE slug = lower($2)
    UNION ALL
    SELECT id, inserted_at, suspended_at, false FROM tenants WHERE name_key = lower($2) AND slug <> lower($2)
  ), accounts AS MATERIALIZED (
    SELECT id, tenant_id, name, email, role, active, password_hash, mfa_enabled FROM users WHERE email_key = lower($1)
  ), candidates AS (
    SELECT t.id AS tenant_id, t.inserted_at, t.suspended_at IS NOT NULL AS suspended, t.by_slug,
      u.id, u.name, u.email, u.role, u.active, u.password_hash, u.mfa_enabled
    FROM named t LEFT JOIN accounts u ON u.tenant_id = t.id
    ORDER BY u.id IS NULL, NOT u.active, NOT t.by_slug, suspended, t.inserted_at DESC, t.id
    LIMIT ${MAX_CANDIDATES})
  SELECT tenant_id, by_slug, CASE WHEN id IS NOT NULL THEN jsonb_build_object(
      'id', id, 'tenant_id', tenant_id, 'name', name, 'email', email, 'role', role, 'active', active,
      'password_hash', password_hash, 'mfa_enabled', mfa_enabled, 'suspended', suspended,
      'is_address_known', EXISTS (SELECT FROM login_addresses a
        WHERE a.user_id = c.id AND a.address = $3 AND a.last_login_at > $4)) END AS account
  FROM candidates c ORDER BY inserted_at DESC, tenant_id`;

/** Finds the accounts that a login may refer to, across tenants. */
@Injectable()
export class LoginAccountFinder {
  constructor(
    private readonly database: Database,
    private readonly addresses: LoginAddresses,
  ) {}

  /**
   * Finds the accounts of that e-mail in the tenant of that slug and the newest tenants of that name, in the newest
   * tenant first. The slug has no precedence there: otherwise a tenant could take the name of another one by its slug.
   * @param address the client's, as rate limits count it; null if it does not matter
   */
  async find(email: string, tenant: string, address: string | null): Promise<LoginCandidates> {
    const [matches] = await this.database.readSystem<[Match]>([
      {
        text: CANDIDATES,
        values: [email, tenant, address, this.addresses.knownSince],
      },
    ]);
    const bySlug = matches.filter(({ by_slug }) => by_slug);
    return {
      accounts: matches.flatMap(({ account }) => account ?? []),
      tenant_ids: (bySlug.length > 0 ? bySlug : matches).map(({ tenant_id }) => tenant_id),
    };
  }
}
