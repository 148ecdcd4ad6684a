import { SubCommand } from 'nest-commander';
import { LegalHoldChanges } from '../../privacy/legal-hold-changes';
import { heldData, HoldCommand, type HoldOptions, TENANT_ARGUMENT } from './hold-command';

@SubCommand({
  name: 'release',
  ...TENANT_ARGUMENT,
  description: 'end a legal hold; what is too old is deleted in the next night',
})
export class HoldReleaseCommand extends HoldCommand {
  async run([slugOrId = '']: string[], options: HoldOptions): Promise<void> {
    const result = await this.application.use(LegalHoldChanges, (holds) =>
      holds.release(slugOrId, options.customer ?? null),
    );
    this.print(result, options, () => `The hold on ${heldData(result)} has ended.\n`);
  }
}
