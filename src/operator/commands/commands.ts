import { Command } from 'nest-commander';
import { CommandGroup } from './command-group';
import { GatewayReplayCommand } from './gateway-replay.command';
import { TenantCreateCommand } from './tenant-create.command';
import { TenantEraseCommand } from './tenant-erase.command';
import { TenantListCommand } from './tenant-list.command';
import { TenantResumeCommand } from './tenant-resume.command';
import { TenantSetPlanCommand } from './tenant-set-plan.command';
import { TenantShowCommand } from './tenant-show.command';
import { TenantSuspendCommand } from './tenant-suspend.command';
import { UserResetMfaCommand } from './user-reset-mfa.command';
import { UserResetPasswordCommand } from './user-reset-password.command';

const TENANT = [
  TenantCreateCommand,
  TenantListCommand,
  TenantShowCommand,
  TenantSetPlanCommand,
  TenantSuspendCommand,
  TenantResumeCommand,
  TenantEraseCommand,
];
const USER = [UserResetPasswordCommand, UserResetMfaCommand];
const GATEWAY = [GatewayReplayCommand];

@Command({ name: 'tenant', description: 'tenants of the service', subCommands: TENANT })
class TenantGroup extends CommandGroup {}

@Command({ name: 'user', description: 'users of a tenant', subCommands: USER })
class UserGroup extends CommandGroup {}

@Command({ name: 'gateway', description: 'payment gateways', subCommands: GATEWAY })
class GatewayGroup extends CommandGroup {}

/** All commands and their groups. */
export const COMMANDS = [TenantGroup, ...TENANT, UserGroup, ...USER, GatewayGroup, ...GATEWAY];
