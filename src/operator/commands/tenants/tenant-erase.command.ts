import { Option, SubCommand } from 'nest-commander';
import { formatDetails } from '../../format-output';
import { type ErasureResult, TenantErasure } from '../../tenants/tenant-erasure';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'erase',
  arguments: '<tenant>',
  argsDescription: { tenant: 'slug or id' },
  description: 'delete a tenant with all of its data, audit log and payments included; this cannot be undone',
})
export class TenantEraseCommand extends OperatorCommand {
  async run([slugOrId = '']: string[], options: OutputOptions & { confirm: string }): Promise<void> {
    const result = await this.application.use(TenantErasure, (erasure) =>
      erasure.erase(slugOrId, options.confirm),
    );
    this.print(result, options, formatResult);
  }

  @Option({ flags: '--confirm <slug>', description: "the tenant's slug, to confirm", required: true })
  parseConfirm(slug: string): string {
    return slug;
  }
}

function formatResult({ tenant, deleted, erasure_id, receipt }: ErasureResult): string {
  const when = receipt === null ? ', when the files have been deleted from the storage' : '';
  return (
    `Erased ${tenant}. Deleted rows:\n${formatDetails(deleted)}` +
    `The receipt is shown by receipt show ${erasure_id}${when}.\n`
  );
}
