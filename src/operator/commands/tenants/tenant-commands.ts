import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { TenantCreateCommand } from './tenant-create.command';
import { TenantEraseCommand } from './tenant-erase.command';
import { TenantListCommand } from './tenant-list.command';
import { TenantResumeCommand } from './tenant-resume.command';
import { TenantSetPlanCommand } from './tenant-set-plan.command';
import { TenantShowCommand } from './tenant-show.command';
import { TenantSuspendCommand } from './tenant-suspend.command';

const SUBCOMMANDS = [
  TenantCreateCommand,
  TenantListCommand,
  TenantShowCommand,
  TenantSetPlanCommand,
  TenantSuspendCommand,
  TenantResumeCommand,
  TenantEraseCommand,
];

@Command({ name: 'tenant', description: 'tenants of the service', subCommands: SUBCOMMANDS })
class TenantGroup extends CommandGroup {}

export const TENANT_COMMANDS = [TenantGroup, ...SUBCOMMANDS];
