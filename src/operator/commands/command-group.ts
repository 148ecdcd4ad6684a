import { CommandRunner } from 'nest-commander';

/** A word that commands stand behind. */
export abstract class CommandGroup extends CommandRunner {
  async run([unknown]: string[]): Promise<void> {
    if (unknown) this.command.showHelpAfterError().error(`error: unknown command '${unknown}'`);
    this.command.help({ error: true });
  }
}
