import { CommandRunner } from 'nest-commander';

/** A command that only has subcommands, such as `tenant`. */
export abstract class CommandGroup extends CommandRunner {
  async run([name]: string[]): Promise<void> {
    if (name) this.command.showHelpAfterError().error(`error: unknown command '${name}'`);
    this.command.help({ error: true });
  }
}
