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
  suspended: boolean;
  /** Whether the user has logged in from the client's address in the last 30 days. */
  is_address_known: boolean;
}

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

/** Finds the accounts that a login may refer to, across tenants. */
@Injectable()
export class LoginAccountFinder {
  constructor(
    private readonly database: Database,
    private readonly addresses: LoginAddresses,
  ) {}

  /**
   * Finds the accounts of that e-mail in tenants whose slug or name matches, in the newest tenant first. A slug has
   * no precedence: otherwise a tenant could take the name of another one by its slug.
   * @param address the client's, as rate limits count it; null if it does not matter
   */
  async find(email: string, tenant: string, address: string | null): Promise<LoginCandidates> {
    const [matches] = await this.database.readSystem<[Match]>([
      {
        name: 'accounts-of-login',
        text: `SELECT t.id AS tenant_id, lower(t.slug) = lower($2) AS by_slug, CASE WHEN u.id IS NOT NULL THEN jsonb_build_object(
            'id', u.id, 'tenant_id', u.tenant_id, 'name', u.name, 'email', u.email, 'role', u.role,
            'active', u.active, 'password_hash', u.password_hash, 'suspended', t.suspended_at IS NOT NULL,
            'is_address_known', EXISTS (SELECT FROM login_addresses a
              WHERE a.user_id = u.id AND a.address = $3 AND a.last_login_at > $4)) END AS account
          FROM tenants t LEFT JOIN users u ON u.tenant_id = t.id AND lower(u.email) = lower($1)
          WHERE lower(t.slug) = lower($2) OR lower(t.name) = lower($2)
          ORDER BY u.id IS NULL, t.inserted_at DESC, t.id LIMIT ${MAX_CANDIDATES}`,
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
