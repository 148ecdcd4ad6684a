import { Command } from 'nest-commander';
import { InstallationPause } from '../../../platform/database/installation/installation-pause';
import { OperatorCommand, type OutputOptions } from '../operator-command';

/** For a copy that the service cannot recognise as one, such as that of a disk. */
@Command({
  name: 'pause',
  description: 'let mails and webhooks wait, and delete no stored objects, until `resume`',
})
export class PauseCommand extends OperatorCommand {
  async run(_: string[], options: OutputOptions): Promise<void> {
    const state = await this.application.use(InstallationPause, (installation) => installation.pause());
    this.print(state, options, () => 'The installation is paused.\n');
  }
}
