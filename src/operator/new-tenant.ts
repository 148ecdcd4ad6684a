import { Injectable } from '@nestjs/common';
import { PaymentNotificationsService } from '../billing/payment-notifications.service';
import { SignupService } from '../billing/signup.service';
import type { RegisteredDto } from '../billing/signup.dto';
import { InvitationsService } from '../identity/users/invitations.service';
import { hashPassword } from '../identity/users/passwords';
import { Database } from '../platform/database/database';
import { SubscriptionsService } from '../plans/subscriptions.service';
import type { NewTenantDto } from './new-tenant.dto';

export interface NewTenantResult extends RegisteredDto {
  /** Whether the owner is mailed a link to choose a password. */
  invited: boolean;
}

@Injectable()
export class NewTenant {
  constructor(
    private readonly database: Database,
    private readonly signup: SignupService,
    private readonly invitations: InvitationsService,
    private readonly payments: PaymentNotificationsService,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /**
   * Makes a tenant with its owner, all or nothing.
   * @param active puts the plan in force without a payment
   * @throws 422 when the document is not valid or in use
   */
  async create({ admin_password, ...company }: NewTenantDto, active: boolean): Promise<NewTenantResult> {
    const password_hash = admin_password ? await hashPassword(admin_password) : null;
    return this.database.system(async (tx) => {
      const made = await this.signup.createTenant(tx, company, password_hash);
      const { tenant, user } = made;
      if (!password_hash) await this.invitations.invite(tx, { id: user.id, tenant_id: tenant.id });
      if (active) await this.payments.grant(tx, tenant.id);
      const { plan, status } = await this.subscriptions.get(tx, tenant.id);
      return { ...made, subscription: { plan, status }, invited: password_hash === null };
    });
  }
}
