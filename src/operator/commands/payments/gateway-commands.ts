import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group';
import { GatewayReplayCommand } from './gateway-replay.command';

const SUBCOMMANDS = [GatewayReplayCommand];

@Command({ name: 'gateway', description: 'payment gateways', subCommands: SUBCOMMANDS })
class GatewayGroup extends CommandGroup {}

export const GATEWAY_COMMANDS = [GatewayGroup, ...SUBCOMMANDS];
