import { Injectable } from '@nestjs/common';
import { PaymentNotificationsService } from '../../billing/payment-notifications.service';
import { SignupService } from '../../billing/signup.service';
import type { RegistrationDto } from '../../billing/signup.dto';
import { InvitationsService } from '../../identity/users/invitations.service';
import { PasswordHasher } from '../../identity/users/password-hasher';
import { Database } from '../../platform/database/database';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import { TenantsService } from '../../tenancy/tenants.service';
import type { NewTenantDto } from './new-tenant.dto';

export interface TenantCreationResult extends RegistrationDto {
  /** Whether the owner is sent a link to choose a password. */
  invited: boolean;
}

/** Creates tenants for the operator. */
@Injectable()
export class TenantCreation {
  constructor(
    private readonly database: Database,
    private readonly signup: SignupService,
    private readonly tenants: TenantsService,
    private readonly invitations: InvitationsService,
    private readonly payments: PaymentNotificationsService,
    private readonly subscriptions: SubscriptionsService,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * Creates a tenant with its owner, in one transaction.
   * @param active puts the plan in force without a payment
   * @throws 422 if the document is invalid or in use
   */
  async create({ admin_password, ...company }: NewTenantDto, active: boolean): Promise<TenantCreationResult> {
    const password_hash = admin_password ? await this.hasher.hash(admin_password) : null;
    return this.database.system(async (tx) => {
      const created = await this.signup.createTenant(tx, company, password_hash);
      const { tenant, user } = created;
      // The operator vouches for the address.
      await this.tenants.confirmEmail(tx, tenant.id);
      if (!password_hash) await this.invitations.invite(tx, { id: user.id, tenant_id: tenant.id });
      if (active) await this.payments.grant(tx, tenant.id);
      const { plan, status } = await this.subscriptions.get(tx, tenant.id);
      return { ...created, subscription: { plan, status }, invited: password_hash === null };
    });
  }
}
