import { SubCommand } from 'nest-commander';
import { details, table } from '../output';
import { TenantOverview } from '../tenant-overview';
import { OperatorCommand, type OutputOptions } from './operator-command';

@SubCommand({
  name: 'show',
  arguments: '<tenant>',
  argsDescription: { tenant: 'slug or id' },
  description: 'a tenant with its plan, the limits in force, what it uses, and its owners',
})
export class TenantShowCommand extends OperatorCommand {
  async run([tenant = '']: string[], options: OutputOptions): Promise<void> {
    const shown = await this.application.use(TenantOverview, (overview) => overview.show(tenant));
    this.print(shown, options, ({ owners, ...rest }) => `${details(rest)}\nOwners:\n${table(owners)}`);
  }
}
