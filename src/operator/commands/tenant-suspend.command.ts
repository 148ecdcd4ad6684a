import { SubCommand } from 'nest-commander';
import { TenantSuspension } from '../tenant-suspension';
import { OperatorCommand, type OutputOptions } from './operator-command';

@SubCommand({
  name: 'suspend',
  arguments: '<tenant>',
  argsDescription: { tenant: 'slug or id' },
  description: 'shut a tenant out within 5 seconds; what it has stays',
})
export class TenantSuspendCommand extends OperatorCommand {
  async run([which = '']: string[], options: OutputOptions): Promise<void> {
    const result = await this.application.use(TenantSuspension, (suspension) => suspension.set(which, true));
    this.print(result, options, ({ tenant, changed }) =>
      changed
        ? `${tenant} is suspended: nobody gets in from now on, and whoever is in is out within 5 seconds.\n`
        : `${tenant} was suspended already; nothing changed.\n`,
    );
  }
}
