import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { StorageVerifyCommand } from './storage-verify.command';

const SUBCOMMANDS = [StorageVerifyCommand];

@Command({ name: 'storage', description: 'stored files', subCommands: SUBCOMMANDS })
class StorageGroup extends CommandGroup {}

export const STORAGE_COMMANDS = [StorageGroup, ...SUBCOMMANDS];
