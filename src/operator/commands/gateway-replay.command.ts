import { Option, SubCommand } from 'nest-commander';
import { GatewayReplay } from '../gateway-replay';
import { OperatorCommand, type OutputOptions } from './operator-command';

@SubCommand({
  name: 'replay',
  description: 'read all notifications of payments once more and work subscriptions out anew',
})
export class GatewayReplayCommand extends OperatorCommand {
  async run(_: string[], options: OutputOptions & { tenant?: string }): Promise<void> {
    const result = await this.application.use(GatewayReplay, (replay) => replay.replay(options.tenant));
    this.print(
      result,
      options,
      ({ notifications, tenants }) =>
        `Notifications read again: ${notifications}\nTenants worked out anew: ${tenants}\n`,
    );
  }

  @Option({ flags: '--tenant <tenant>', description: 'work out this one alone: slug or id' })
  parseTenant(tenant: string): string {
    return tenant;
  }
}
