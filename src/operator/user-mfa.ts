import { Injectable } from '@nestjs/common';
import { MfaService } from '../identity/mfa/mfa.service';
import { Database } from '../platform/database/database';
import { enterTenant } from './find-tenant';
import { findUser } from './find-user';

export interface MfaReset {
  tenant: string;
  email: string;
  /** False when there was nothing to take away. */
  changed: boolean;
}

/** Takes the second factor from a user who has lost it, for when nobody of the tenant may: an only owner, say. */
@Injectable()
export class UserMfa {
  constructor(
    private readonly database: Database,
    private readonly mfa: MfaService,
  ) {}

  /** @throws Refusal */
  reset(which: string, email: string): Promise<MfaReset> {
    return this.database.system(async (tx) => {
      const { id, slug } = await enterTenant(tx, which);
      const user = await findUser(tx, { id, slug }, email);
      return { tenant: slug, email, changed: await this.mfa.remove(tx, id, user.id) };
    });
  }
}
