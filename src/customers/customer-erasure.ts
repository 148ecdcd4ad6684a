import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { CustomersService } from './customers.service';
import { PersonalDataRegistry } from './personal-data-registry';

export interface ErasedCustomer {
  /** The customer and all that had been merged into it. */
  subject_ids: string[];
  /** Records affected in each context, by its name. */
  erased: Record<string, number>;
}

/** Erases a customer with all personal data. Calls keep their statistics. */
@Injectable()
export class CustomerErasure {
  constructor(
    private readonly customers: CustomersService,
    private readonly registry: PersonalDataRegistry,
  ) {}

  /** @throws 404, or 422 while the customer has a call that has not ended */
  async erase(tx: Transaction, tenantId: string, id: string): Promise<ErasedCustomer> {
    const result: ErasedCustomer = { subject_ids: [id], erased: { customers: 1 } };
    await this.customers.remove(tx, tenantId, id, async () => {
      const merged = await tx.query<{ merged_id: string }>(
        'SELECT merged_id FROM customer_merges WHERE tenant_id = $1 AND customer_id = $2',
        [tenantId, id],
      );
      result.subject_ids.push(...merged.map(({ merged_id }) => merged_id));
      Object.assign(result.erased, await this.registry.erase(tx, tenantId, id));
    });
    return result;
  }
}
