import { Option, SubCommand } from 'nest-commander';
import { details } from '../output';
import { TenantErasure } from '../tenant-erasure';
import { OperatorCommand, type OutputOptions } from './operator-command';

@SubCommand({
  name: 'erase',
  arguments: '<tenant>',
  argsDescription: { tenant: 'slug or id' },
  description: 'delete a tenant with all that it has, audit log and payments included; there is no way back',
})
export class TenantEraseCommand extends OperatorCommand {
  async run([which = '']: string[], options: OutputOptions & { confirm: string }): Promise<void> {
    const result = await this.application.use(TenantErasure, (erasure) =>
      erasure.erase(which, options.confirm),
    );
    this.print(
      result,
      options,
      ({ tenant, deleted }) => `${tenant} is erased. Deleted rows:\n${details(deleted)}`,
    );
  }

  @Option({ flags: '--confirm <slug>', description: "the tenant's slug, once more", required: true })
  parseConfirm(slug: string): string {
    return slug;
  }
}
