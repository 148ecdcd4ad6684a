import { SubCommand } from 'nest-commander';
import { TenantSuspension } from '../../tenants/tenant-suspension';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'suspend',
  arguments: '<tenant>',
  argsDescription: { tenant: 'slug or id' },
  description: 'lock out all users and customers of a tenant within 5 seconds; its data is kept',
})
export class TenantSuspendCommand extends OperatorCommand {
  async run([slugOrId = '']: string[], options: OutputOptions): Promise<void> {
    const result = await this.application.use(TenantSuspension, (suspension) =>
      suspension.set(slugOrId, true),
    );
    this.print(result, options, ({ tenant, changed }) =>
      changed
        ? `${tenant} is suspended: logins are refused, and all sessions end within 5 seconds.\n`
        : `${tenant} was already suspended; nothing changed.\n`,
    );
  }
}
