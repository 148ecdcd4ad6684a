import { Injectable } from '@nestjs/common';
import { MfaService } from '../../identity/mfa/mfa.service';
import { Database } from '../../platform/database/database';
import { scopeToTenant } from '../tenants/scope-to-tenant';
import { findUser } from './find-user';

export interface MfaResetResult {
  tenant: string;
  email: string;
  /** False if the user had no second factor. */
  changed: boolean;
}

/** Removes a user's lost second factor, if no user of the tenant can, for example for the only owner. */
@Injectable()
export class UserMfaReset {
  constructor(
    private readonly database: Database,
    private readonly mfa: MfaService,
  ) {}

  /** @throws CommandError if there is no such tenant or user */
  reset(slugOrId: string, email: string): Promise<MfaResetResult> {
    return this.database.system(async (tx) => {
      const { id, slug } = await scopeToTenant(tx, slugOrId);
      const user = await findUser(tx, { id, slug }, email);
      return { tenant: slug, email, changed: await this.mfa.remove(tx, id, user.id) };
    });
  }
}
