import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { UserResetMfaCommand } from './user-reset-mfa.command';
import { UserResetPasswordCommand } from './user-reset-password.command';

const SUBCOMMANDS = [UserResetPasswordCommand, UserResetMfaCommand];

@Command({ name: 'user', description: 'users of a tenant', subCommands: SUBCOMMANDS })
class UserGroup extends CommandGroup {}

export const USER_COMMANDS = [UserGroup, ...SUBCOMMANDS];
