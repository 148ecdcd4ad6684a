import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { HoldAddCommand } from './hold-add.command';
import { HoldListCommand } from './hold-list.command';
import { HoldReleaseCommand } from './hold-release.command';

const SUBCOMMANDS = [HoldAddCommand, HoldReleaseCommand, HoldListCommand];

@Command({
  name: 'hold',
  description: 'legal holds: data that must not be deleted',
  subCommands: SUBCOMMANDS,
})
class HoldGroup extends CommandGroup {}

export const PRIVACY_COMMANDS = [HoldGroup, ...SUBCOMMANDS];
