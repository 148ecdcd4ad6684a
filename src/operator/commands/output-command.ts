import { CommandRunner, Option } from 'nest-commander';

type Commander = Parameters<CommandRunner['setCommand']>[0];

export interface OutputOptions {
  json?: boolean;
}

/** Base of all commands. Invalid arguments print the usage and exit with status 1. */
export abstract class OutputCommand extends CommandRunner {
  override setCommand(command: Commander): this {
    command.showHelpAfterError().allowExcessArguments(false);
    return super.setCommand(command);
  }

  @Option({ flags: '--json', description: 'print JSON' })
  parseJson(): boolean {
    return true;
  }

  /** Prints the result: as text, or as JSON with --json. */
  protected print<Result>(
    result: Result,
    { json }: OutputOptions,
    formatText: (result: Result) => string,
  ): void {
    process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : formatText(result));
  }
}
