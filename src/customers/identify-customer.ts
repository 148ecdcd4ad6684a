import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { CustomersService } from './customers.service';
import { isPhoneNumber, normalizePhone } from './phone-numbers';

/** What a customer entered when joining; not verified. */
export interface ContactDetails {
  name: string;
  email: string | null;
  phone: string | null;
  /** Where phones without a country code are, as ISO 3166. */
  country: string;
}

interface FoundCustomer {
  id: string;
  is_locked: boolean;
}

/**
 * Finds the customer of an e-mail address ($2), else of a phone number ($3), else of a phone that is not normalized yet by
 * its digits ($4), and locks the row if it exists.
 */
const FIND_SQL = `WITH found AS (
    (SELECT id, 1 AS rank FROM customers WHERE tenant_id = $1 AND email_key = lower($2)
     ORDER BY inserted_at, id LIMIT 1)
    UNION ALL
    (SELECT id, 2 FROM customers WHERE tenant_id = $1 AND phone_normalized = $3
     ORDER BY inserted_at, id LIMIT 1)
    UNION ALL
    (SELECT id, 3 FROM customers WHERE tenant_id = $1 AND phone_key = $4 AND phone_normalized IS NULL
     ORDER BY inserted_at, id LIMIT 1)
    ORDER BY rank LIMIT 1),
  locked AS (
    SELECT c.id FROM customers c JOIN found USING (id) WHERE c.tenant_id = $1 FOR KEY SHARE OF c)
  SELECT id, EXISTS (SELECT FROM locked) AS is_locked FROM found`;

/** Finds or creates the customer of a call that joins the queue. */
@Injectable()
export class IdentifyCustomer {
  constructor(private readonly customers: CustomersService) {}

  /**
   * Picks the oldest customer with the e-mail, else with the phone, in any notation, if it is a whole number. The contact is
   * not verified, so it never changes a stored customer. Concurrent joins with the same e-mail or phone are serialised until the transaction ends,
   * so that only one of them finds no customer and creates one.
   * @returns the id of the customer, whose row is locked against merges and deletion; undefined if there is none
   */
  async find(tx: Transaction, tenantId: string, contact: ContactDetails): Promise<string | undefined> {
    const email = contact.email || null;
    const normalized = contact.phone ? normalizePhone(contact.phone, contact.country) : '';
    const phone = isPhoneNumber(normalized) ? normalized : null;
    const digits = phone && (contact.phone?.replace(/[^0-9]/g, '') ?? null);
    if (!email && !phone) return undefined;
    this.lockContactKeys(tx, tenantId, [email?.toLowerCase() ?? null, phone]);
    for (;;) {
      const found = await tx.one<FoundCustomer>(FIND_SQL, [tenantId, email, phone, digits]);
      if (!found) return undefined;
      if (found.is_locked) return found.id;
      // The customer was merged or deleted while this waited for the lock: search again.
    }
  }

  /** Creates the customer of a contact that `find` did not find. @returns the id */
  create(tx: Transaction, tenantId: string, contact: ContactDetails): Promise<string> {
    const { name, email, phone, country } = contact;
    const phone_normalized = phone === null ? null : normalizePhone(phone, country);
    return this.customers.insert(tx, tenantId, { name, email, phone, phone_normalized });
  }

  /** Always in the same order, so that two joins cannot deadlock. */
  private lockContactKeys(tx: Transaction, tenantId: string, keys: (string | null)[]): void {
    const sorted = keys.filter((key) => key !== null).toSorted((one, other) => (one < other ? -1 : 1));
    for (const key of sorted) {
      tx.send({
        text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
        values: [`customer ${tenantId} ${key}`],
      });
    }
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
