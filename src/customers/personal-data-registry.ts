import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';

/** What one context holds of a customer. */
export interface PersonalDataHandler {
  /** What it is called in the export and in the receipt, for example `calls`. */
  name: string;
  /** All of it, as it goes into the export. */
  export(tx: Transaction, tenantId: string, customerId: string): Promise<object[]>;
  /**
   * Takes the person out of it, in no order that holders may count on. The customer and their ended calls are locked,
   * and still refer to each other. @returns how many records that concerned
   */
  erase(tx: Transaction, tenantId: string, customerId: string): Promise<number>;
}

/** Everything that is held of a person. Those who hold it stand above, and join here. */
@Injectable()
export class PersonalDataRegistry {
  private readonly handlers: PersonalDataHandler[] = [];

  register(holder: PersonalDataHandler): void {
    if (this.handlers.some(({ name }) => name === holder.name))
      throw new Error(`Two holders of ${holder.name}`);
    this.handlers.push(holder);
  }

  async export(tx: Transaction, tenantId: string, customerId: string): Promise<Record<string, object[]>> {
    const data: Record<string, object[]> = {};
    for (const holder of this.handlers) data[holder.name] = await holder.export(tx, tenantId, customerId);
    return data;
  }

  /** @returns how many records of each kind that concerned */
  async erase(tx: Transaction, tenantId: string, customerId: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const holder of this.handlers) {
      counts[holder.name] = await holder.erase(tx, tenantId, customerId);
    }
    return counts;
  }
}
