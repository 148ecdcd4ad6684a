import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';

/** Exports and erases the personal data that one context stores about a customer. */
export interface PersonalDataHandler {
  /** Key in the export and in the erasure receipt, for example `calls`. */
  name: string;
  /** Returns every record, in the form of the export. */
  export(tx: Transaction, tenantId: string, customerId: string): Promise<object[]>;
  /**
   * Deletes or anonymises the records. The order in which contexts are called is not defined. The customer and the
   * customer's calls, all of which have ended, are locked and still refer to each other.
   * @returns the number of records affected
   */
  erase(tx: Transaction, tenantId: string, customerId: string): Promise<number>;
}

/** Collects the handlers of the contexts that store personal data; they register when their module starts. */
@Injectable()
export class PersonalDataRegistry {
  private readonly handlers: PersonalDataHandler[] = [];

  register(handler: PersonalDataHandler): void {
    if (this.handlers.some(({ name }) => name === handler.name))
      throw new Error(`Two handlers for ${handler.name}`);
    this.handlers.push(handler);
  }

  /** @returns the records of each context by its name */
  async export(tx: Transaction, tenantId: string, customerId: string): Promise<Record<string, object[]>> {
    const data: Record<string, object[]> = {};
    for (const handler of this.handlers) data[handler.name] = await handler.export(tx, tenantId, customerId);
    return data;
  }

  /** @returns the number of records affected in each context, by its name */
  async erase(tx: Transaction, tenantId: string, customerId: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const handler of this.handlers) {
      counts[handler.name] = await handler.erase(tx, tenantId, customerId);
    }
    return counts;
  }
}
