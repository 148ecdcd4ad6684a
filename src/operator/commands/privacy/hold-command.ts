import { Option } from 'nest-commander';
import { OperatorCommand, type OutputOptions } from '../operator-command';

export interface HoldOptions extends OutputOptions {
  customer?: string;
}

export const TENANT_ARGUMENT = { arguments: '<tenant>', argsDescription: { tenant: 'slug or id' } };

/** Base of the commands that change a legal hold. */
export abstract class HoldCommand extends OperatorCommand {
  @Option({ flags: '--customer <id>', description: 'one customer of the tenant instead of the whole tenant' })
  parseCustomer(id: string): string {
    return id;
  }
}

/** What is held, for a sentence. */
export const heldData = ({ tenant, customer_id }: { tenant: string; customer_id: string | null }): string =>
  customer_id === null ? `the data of ${tenant}` : `the data of customer ${customer_id} of ${tenant}`;
