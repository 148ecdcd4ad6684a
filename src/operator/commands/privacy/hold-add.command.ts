import { Option, SubCommand } from 'nest-commander';
import { LegalHoldChanges } from '../../privacy/legal-hold-changes';
import { heldData, HoldCommand, type HoldOptions, TENANT_ARGUMENT } from './hold-command';

@SubCommand({
  name: 'add',
  ...TENANT_ARGUMENT,
  description: 'forbid deleting the data of a tenant or customer, by age or by request',
})
export class HoldAddCommand extends HoldCommand {
  async run([slugOrId = '']: string[], options: HoldOptions & { reason: string }): Promise<void> {
    const result = await this.application.use(LegalHoldChanges, (holds) =>
      holds.add(slugOrId, options.customer ?? null, options.reason),
    );
    this.print(result, options, ({ changed }) =>
      changed
        ? `From now on ${heldData(result)} is held.\n`
        : `Nothing changed: ${heldData(result)} is held already.\n`,
    );
  }

  @Option({ flags: '--reason <text>', description: 'why, such as the number of the case', required: true })
  parseReason(text: string): string {
    return text;
  }
}
