import { Module } from '@nestjs/common';
import { type CommandRunner, InjectCommander } from 'nest-commander';
import { OperatorApplication } from '../operator-application';
import { COMMANDS } from './commands';

/** The commands of the CLI. They open the service through OperatorApplication when they run. */
@Module({ providers: [OperatorApplication, ...COMMANDS] })
export class CommandsModule {
  constructor(@InjectCommander() commander: Parameters<CommandRunner['setCommand']>[0]) {
    commander.name('cli').description('Commands for the operator.').showHelpAfterError();
  }
}
