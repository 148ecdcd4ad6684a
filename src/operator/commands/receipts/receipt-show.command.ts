import { isUUID } from 'class-validator';
import { SubCommand } from 'nest-commander';
import { ErasureReader, type RecordedErasure } from '../../../customers/erasures/erasure-reader';
import { readReceipt } from '../../../customers/erasures/receipt-jws';
import { CommandError } from '../../command-error';
import { formatDetails } from '../../format-output';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'show',
  arguments: '<id>',
  argsDescription: { id: 'erasure_id of the erasure of a customer or tenant' },
  description: 'show the signed receipt of an erasure, or what it waits for',
})
export class ReceiptShowCommand extends OperatorCommand {
  async run([id = '']: string[], options: OutputOptions): Promise<void> {
    const found = isUUID(id)
      ? await this.application.use(ErasureReader, (erasures) => erasures.find(id))
      : undefined;
    if (!found) throw new CommandError(`There is no erasure with the id ${id}.`);
    this.print(found, options, formatErasure);
  }
}

function formatErasure(erasure: RecordedErasure): string {
  const { receipt, has_receipt, remaining_objects, ...rest } = erasure;
  if (receipt !== null) return `${formatDetails(readReceipt(receipt)?.receipt ?? rest)}\n${receipt}\n`;
  const reason = has_receipt
    ? `The receipt is signed when the storage has deleted the objects that remain: ${remaining_objects}.`
    : 'This erasure has no receipt: an earlier version made it, or its receipt was lost with the restored database.';
  return `${formatDetails(rest)}\n${reason}\n`;
}
