import { Option, SubCommand } from 'nest-commander';
import { table } from '../output';
import { TenantOverview } from '../tenant-overview';
import { OperatorCommand, type OutputOptions } from './operator-command';

@SubCommand({ name: 'list', description: 'all tenants, the oldest first, with their active users counted' })
export class TenantListCommand extends OperatorCommand {
  async run(_: string[], options: OutputOptions & { search?: string }): Promise<void> {
    const tenants = await this.application.use(TenantOverview, (overview) => overview.list(options.search));
    this.print(tenants, options, () => (tenants.length > 0 ? table(tenants) : 'No tenants.\n'));
  }

  @Option({ flags: '--search <text>', description: 'only those with this in their name, slug or document' })
  parseSearch(text: string): string {
    return text;
  }
}
