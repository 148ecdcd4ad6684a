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

@Command({ name: 'tenant', description: 'companies that use the service', subCommands: TENANT })
class TenantGroup extends CommandGroup {}

@Command({ name: 'user', description: 'people of a tenant', subCommands: USER })
class UserGroup extends CommandGroup {}

@Command({ name: 'gateway', description: 'payment gateways', subCommands: GATEWAY })
class GatewayGroup extends CommandGroup {}

/** Every command and what it stands behind. */
export const COMMANDS = [TenantGroup, ...TENANT, UserGroup, ...USER, GatewayGroup, ...GATEWAY];
