import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { CustomersService } from './customers.service';

export interface ContactDetails {
  name: string;
  email: string | null;
  phone: string | null;
}

/** Finds out which customer a join belongs to. */
@Injectable()
export class IdentifyCustomer {
  constructor(private readonly customers: CustomersService) {}

  /**
   * The oldest customer of that e-mail, else of that phone, however it is written, else a new one. What was
   * typed proves nothing, so it never changes a stored customer. Joins that claim the same e-mail or phone
   * take turns, so that two of them cannot both make the customer.
   * @returns the customer's id
   */
  async identify(tx: Transaction, tenantId: string, claim: ContactDetails): Promise<string> {
    await this.lockContactKeys(tx, tenantId, claim);
    for (;;) {
      const known =
        (claim.email && (await this.findOldest(tx, tenantId, 'email_key = lower($2)', claim.email))) ||
        (claim.phone && (await this.findOldest(tx, tenantId, 'phone_key = $2', digitsOf(claim.phone))));
      if (!known) return this.customers.insert(tx, tenantId, claim);
      // Whoever is being merged or deleted right now is gone once their lock is to be had: look again.
      if (await this.lockIfExists(tx, tenantId, known)) return known;
    }
  }

  private async lockContactKeys(
    tx: Transaction,
    tenantId: string,
    { email, phone }: ContactDetails,
  ): Promise<void> {
    // In one order for everybody, so that two joins never wait for each other.
    const keys = [email?.toLowerCase(), phone && digitsOf(phone)]
      .filter((key): key is string => !!key)
      .toSorted((one, other) => (one < other ? -1 : 1));
    for (const key of keys) {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `customer ${tenantId} ${key}`,
      ]);
    }
  }

  private async findOldest(
    tx: Transaction,
    tenantId: string,
    condition: string,
    value: string,
  ): Promise<string | undefined> {
    const customer = await tx.one<{ id: string }>(
      `SELECT id FROM customers WHERE tenant_id = $1 AND ${condition} ORDER BY inserted_at, id LIMIT 1`,
      [tenantId, value],
    );
    return customer?.id;
  }

  private async lockIfExists(tx: Transaction, tenantId: string, id: string): Promise<boolean> {
    const found = await tx.query('SELECT FROM customers WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE', [
      tenantId,
      id,
    ]);
    return found.length > 0;
  }
}

const digitsOf = (phone: string): string => phone.replace(/\D/g, '');
