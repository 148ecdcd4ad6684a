import { SubCommand } from 'nest-commander';
import { TenantSuspension } from '../../tenants/tenant-suspension';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'resume',
  arguments: '<tenant>',
  argsDescription: { tenant: 'slug or id' },
  description: 'resume a suspended tenant',
})
export class TenantResumeCommand extends OperatorCommand {
  async run([slugOrId = '']: string[], options: OutputOptions): Promise<void> {
    const result = await this.application.use(TenantSuspension, (suspension) =>
      suspension.set(slugOrId, false),
    );
    this.print(result, options, ({ tenant, changed }) =>
      changed ? `${tenant} is resumed.\n` : `${tenant} was not suspended; nothing changed.\n`,
    );
  }
}
