import { Option, SubCommand } from 'nest-commander';
import { formatTable } from '../../format-output';
import { TenantOverview } from '../../tenants/tenant-overview';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'list',
  description: 'list all tenants, oldest first, with their number of active users',
})
export class TenantListCommand extends OperatorCommand {
  async run(_: string[], options: OutputOptions & { search?: string }): Promise<void> {
    const tenants = await this.application.use(TenantOverview, (overview) => overview.list(options.search));
    this.print(tenants, options, () => (tenants.length > 0 ? formatTable(tenants) : 'No tenants.\n'));
  }

  @Option({
    flags: '--search <text>',
    description: 'only tenants whose name, slug or document contains this',
  })
  parseSearch(text: string): string {
    return text;
  }
}
