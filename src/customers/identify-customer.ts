import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';

export interface CustomerClaim {
  name: string;
  email: string | null;
  phone: string | null;
}

/** Finds out which customer a join belongs to. */
@Injectable()
export class IdentifyCustomer {
  /**
   * The oldest customer of that e-mail, else of that phone, else a new one. What was typed proves nothing,
   * so it never changes a stored customer. Joins that claim the same e-mail or phone take turns, so that
   * two of them cannot both make the customer.
   * @returns the customer's id
   */
  async identify(tx: Transaction, tenantId: string, claim: CustomerClaim): Promise<string> {
    await this.lockClaims(tx, tenantId, claim);
    const known =
      (claim.email && (await this.oldest(tx, tenantId, 'lower(email) = lower($2)', claim.email))) ||
      (claim.phone && (await this.oldest(tx, tenantId, 'phone = $2', claim.phone)));
    return known || this.create(tx, tenantId, claim);
  }

  private async lockClaims(
    tx: Transaction,
    tenantId: string,
    { email, phone }: CustomerClaim,
  ): Promise<void> {
    // In one order for everybody, so that two joins never wait for each other.
    const keys = [email?.toLowerCase(), phone]
      .filter((key): key is string => !!key)
      .toSorted((one, other) => (one < other ? -1 : 1));
    for (const key of keys) {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `customer ${tenantId} ${key}`,
      ]);
    }
  }

  private async oldest(
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

  private async create(tx: Transaction, tenantId: string, claim: CustomerClaim): Promise<string> {
    const [customer] = await tx.query<{ id: string }>(
      'INSERT INTO customers (tenant_id, name, email, phone) VALUES ($1, $2, $3, $4) RETURNING id',
      [tenantId, claim.name, claim.email, claim.phone],
    );
    if (!customer) throw new Error('INSERT gave no row');
    return customer.id;
  }
}
