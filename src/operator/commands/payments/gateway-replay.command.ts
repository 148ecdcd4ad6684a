import { Option, SubCommand } from 'nest-commander';
import { GatewayReplay } from '../../payments/gateway-replay';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'replay',
  description: 'read all payment notifications again and recompute subscriptions',
})
export class GatewayReplayCommand extends OperatorCommand {
  async run(_: string[], options: OutputOptions & { tenant?: string }): Promise<void> {
    const result = await this.application.use(GatewayReplay, (replay) => replay.replay(options.tenant));
    this.print(
      result,
      options,
      ({ notifications, tenants }) =>
        `Notifications read: ${notifications}\nTenants recomputed: ${tenants}\n`,
    );
  }

  @Option({ flags: '--tenant <tenant>', description: 'recompute only this tenant: slug or id' })
  parseTenant(tenant: string): string {
    return tenant;
  }
}
