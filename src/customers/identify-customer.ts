import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { CustomersService } from './customers.service';

/** What a customer entered when joining; not verified. */
export interface ContactDetails {
  name: string;
  email: string | null;
  phone: string | null;
}

/** Finds or creates the customer of a call that joins the queue. */
@Injectable()
export class IdentifyCustomer {
  constructor(private readonly customers: CustomersService) {}

  /**
   * Picks the oldest customer with the e-mail, else with the digits of the phone, else creates one. The input is not
   * verified, so it never changes a stored customer. Concurrent joins with the same e-mail or phone are serialised, so
   * that only one of them creates the customer.
   * @returns the customer's id
   */
  async identify(tx: Transaction, tenantId: string, contact: ContactDetails): Promise<string> {
    await this.lockContactKeys(tx, tenantId, contact);
    for (;;) {
      const known =
        (contact.email && (await this.findOldest(tx, tenantId, 'email_key = lower($2)', contact.email))) ||
        (contact.phone && (await this.findOldest(tx, tenantId, 'phone_key = $2', digitsOf(contact.phone))));
      if (!known) return this.customers.insert(tx, tenantId, contact);
      // The customer may have been merged or deleted while this waited for the lock: search again.
      if (await this.lockIfExists(tx, tenantId, known)) return known;
    }
  }

  private async lockContactKeys(
    tx: Transaction,
    tenantId: string,
    { email, phone }: ContactDetails,
  ): Promise<void> {
    // Always in the same order, so that two joins cannot deadlock.
    const keys = [email?.toLowerCase(), phone && digitsOf(phone)]
      .filter((key): key is string => !!key)
      .toSorted((a, b) => (a < b ? -1 : 1));
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

  /** Keeps the customer from being merged or deleted by others. @returns false if the customer no longer exists */
  async lockIfExists(tx: Transaction, tenantId: string, id: string): Promise<boolean> {
    const found = await tx.query('SELECT FROM customers WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE', [
      tenantId,
      id,
    ]);
    return found.length > 0;
  }
}

const digitsOf = (phone: string): string => phone.replace(/\D/g, '');
