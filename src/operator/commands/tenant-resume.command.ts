import { SubCommand } from 'nest-commander';
import { TenantSuspension } from '../tenant-suspension';
import { OperatorCommand, type OutputOptions } from './operator-command';

@SubCommand({
  name: 'resume',
  arguments: '<tenant>',
  argsDescription: { tenant: 'slug or id' },
  description: 'let a suspended tenant in again',
})
export class TenantResumeCommand extends OperatorCommand {
  async run([which = '']: string[], options: OutputOptions): Promise<void> {
    const result = await this.application.use(TenantSuspension, (suspension) => suspension.set(which, false));
    this.print(result, options, ({ tenant, changed }) =>
      changed ? `${tenant} is let in again.\n` : `${tenant} was not suspended; nothing changed.\n`,
    );
  }
}
