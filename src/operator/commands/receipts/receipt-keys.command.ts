import { SubCommand } from 'nest-commander';
import { type PublicReceiptKey, ReceiptKeys } from '../../../customers/erasures/receipt-keys';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({ name: 'keys', description: 'print the public keys that verify receipts, the newest first' })
export class ReceiptKeysCommand extends OperatorCommand {
  async run(_: string[], options: OutputOptions): Promise<void> {
    const keys = await this.application.use(ReceiptKeys, (receiptKeys) => receiptKeys.list());
    this.print(keys, options, formatKeys);
  }
}

/** Text outside of the PEM blocks is ignored by those who read them (RFC 7468). */
const formatKeys = (keys: PublicReceiptKey[]): string =>
  keys.map(({ id, inserted_at, public_key }) => `${id}, ${inserted_at}\n${public_key}`).join('') ||
  'There are no keys yet: the first receipt creates one.\n';
