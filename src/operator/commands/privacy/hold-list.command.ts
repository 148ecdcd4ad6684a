import { SubCommand } from 'nest-commander';
import { formatTable } from '../../format-output';
import { LegalHoldChanges } from '../../privacy/legal-hold-changes';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'list',
  arguments: '[tenant]',
  argsDescription: { tenant: 'slug or id; without it, of all tenants' },
  description: 'list the legal holds in force',
})
export class HoldListCommand extends OperatorCommand {
  async run([slugOrId]: string[], options: OutputOptions): Promise<void> {
    const holds = await this.application.use(LegalHoldChanges, (changes) => changes.list(slugOrId));
    this.print(holds, options, (rows) =>
      rows.length > 0 ? formatTable(rows) : 'There are no legal holds.\n',
    );
  }
}
