import { SubCommand } from 'nest-commander';
import { formatDetails, formatTable } from '../../format-output';
import { TenantOverview } from '../../tenants/tenant-overview';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'show',
  arguments: '<tenant>',
  argsDescription: { tenant: 'slug or id' },
  description: 'show a tenant with its plan, limits, usage and owners',
})
export class TenantShowCommand extends OperatorCommand {
  async run([tenant = '']: string[], options: OutputOptions): Promise<void> {
    const shown = await this.application.use(TenantOverview, (overview) => overview.show(tenant));
    this.print(
      shown,
      options,
      ({ owners, ...rest }) => `${formatDetails(rest)}\nOwners:\n${formatTable(owners)}`,
    );
  }
}
