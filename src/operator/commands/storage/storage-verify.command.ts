import { Option, SubCommand } from 'nest-commander';
import { StorageCheck, type StorageCheckReport } from '../../storage/storage-check';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'verify',
  description:
    'compare the database with the storage; exit with 1 if an object is missing or an erasure is not in the journal',
})
export class StorageVerifyCommand extends OperatorCommand {
  async run(_: string[], options: OutputOptions & { repairJournal?: boolean }): Promise<void> {
    const repairJournal = options.repairJournal ?? false;
    const report = await this.application.use(StorageCheck, (check) => check.run({ repairJournal }));
    this.print(report, options, formatReport);
    if (report.missing_count > 0 || report.unjournalled.length > 0) process.exitCode = 1;
  }

  @Option({
    flags: '--repair-journal',
    description: 'let the running service write to the journal the erasures that it lacks',
  })
  parseRepairJournal(): boolean {
    return true;
  }
}

const MAX_LINES = 100;

function formatReport(report: StorageCheckReport): string {
  const { stored_count, missing_count, missing, orphaned_count, orphaned, unjournalled } = report;
  const erasures = unjournalled.slice(0, MAX_LINES);
  return [
    `${stored_count} stored, ${missing_count} missing, ${orphaned_count} orphaned, ${unjournalled.length} unjournalled`,
    ...missing.map((key) => `missing   ${key}`),
    ...more(missing_count, missing),
    ...orphaned.map((key) => `orphaned  ${key}`),
    ...more(orphaned_count, orphaned),
    ...erasures.map(({ id, erased_at }) => `unjournalled  ${id} of ${erased_at}`),
    ...more(unjournalled.length, erasures),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const more = (count: number, shown: unknown[]): string[] =>
  count > shown.length ? [`and ${count - shown.length} more`] : [];
