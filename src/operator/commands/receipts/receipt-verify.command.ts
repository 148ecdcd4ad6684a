import { readFile } from 'node:fs/promises';
import { Option, SubCommand } from 'nest-commander';
import { ReceiptKeys } from '../../../customers/erasures/receipt-keys';
import { CommandError } from '../../command-error';
import { formatDetails } from '../../format-output';
import { type VerifiedReceipt, verifyReceipt } from '../../receipts/verify-receipt';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'verify',
  arguments: '<file>',
  argsDescription: { file: 'the receipt, or the JSON that contains it' },
  description: 'check that this installation has signed a receipt; exit with 1 if it has not',
})
export class ReceiptVerifyCommand extends OperatorCommand {
  async run([file = '']: string[], options: OutputOptions & { key?: string }): Promise<void> {
    const content = await read(file);
    const verified =
      options.key === undefined
        ? await this.application.use(ReceiptKeys, (keys) => verifyReceipt(content, (id) => keys.find(id)))
        : await verifyWith(options.key, content);
    this.print(verified, options, formatVerified);
  }

  @Option({
    flags: '--key <file>',
    description: 'public keys in PEM, from `receipt keys`; then no database is needed',
  })
  parseKey(file: string): string {
    return file;
  }
}

async function verifyWith(keyFile: string, content: string): Promise<VerifiedReceipt> {
  const key = await read(keyFile);
  return verifyReceipt(content, async () => key);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

const formatVerified = ({ key_id, receipt }: VerifiedReceipt): string =>
  `The receipt is authentic, signed with the key ${key_id}.\n${formatDetails(receipt)}`;
