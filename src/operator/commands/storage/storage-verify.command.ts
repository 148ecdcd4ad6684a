import { SubCommand } from 'nest-commander';
import { type StorageReport, StorageVerifier } from '../../../platform/storage/storage-verifier';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'verify',
  description: 'compare the database with the storage; exit with 1 if an object is missing',
})
export class StorageVerifyCommand extends OperatorCommand {
  async run(_: string[], options: OutputOptions): Promise<void> {
    const report = await this.application.use(StorageVerifier, (verifier) => verifier.verify());
    this.print(report, options, formatReport);
    if (report.missing_count > 0) process.exitCode = 1;
  }
}

function formatReport(report: StorageReport): string {
  const { stored_count, missing_count, missing, orphaned_count, orphaned } = report;
  return [
    `${stored_count} stored, ${missing_count} missing, ${orphaned_count} orphaned`,
    ...missing.map((key) => `missing   ${key}`),
    ...more(missing_count, missing),
    ...orphaned.map((key) => `orphaned  ${key}`),
    ...more(orphaned_count, orphaned),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const more = (count: number, keys: string[]): string[] =>
  count > keys.length ? [`and ${count - keys.length} more`] : [];
