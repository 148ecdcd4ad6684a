import { Injectable } from '@nestjs/common';
import { CommandRunner, Option } from 'nest-commander';
import { OperatorApplication } from '../operator-application';

type Commander = Parameters<CommandRunner['setCommand']>[0];

export interface OutputOptions {
  json?: boolean;
}

/** A command that does something. What it is not given rightly it answers with its usage and status 1. */
@Injectable()
export abstract class OperatorCommand extends CommandRunner {
  constructor(protected readonly application: OperatorApplication) {
    super();
  }

  override setCommand(command: Commander): this {
    command.showHelpAfterError().allowExcessArguments(false);
    return super.setCommand(command);
  }

  @Option({ flags: '--json', description: 'print JSON, for machines' })
  parseJson(): boolean {
    return true;
  }

  /** Writes the outcome, for people unless JSON was asked for. */
  protected print<Result>(
    result: Result,
    { json }: OutputOptions,
    forPeople: (result: Result) => string,
  ): void {
    process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : forPeople(result));
  }
}
