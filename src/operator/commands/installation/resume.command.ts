import { Command, Option } from 'nest-commander';
import { InstallationResumption, type Resumption } from '../../installation/installation-resumption';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@Command({
  name: 'resume',
  description: 'let an installation that was restored or paused send its mails and webhooks again',
})
export class ResumeCommand extends OperatorCommand {
  async run(_: string[], options: OutputOptions & { discardPending?: boolean }): Promise<void> {
    const discardPending = options.discardPending ?? false;
    const before = await this.application.use(InstallationResumption, (installation) =>
      installation.resume({ discardPending }),
    );
    this.print(before, options, formatResumption);
  }

  @Option({
    flags: '--discard-pending',
    description: 'do not send the mails and webhooks that were pending when the installation was paused',
  })
  parseDiscardPending(): boolean {
    return true;
  }
}

function formatResumption({ paused_at, pause_reason, erased_tenant_count, discarded }: Resumption): string {
  if (!paused_at) return 'The installation was not paused.\n';
  const reason = pause_reason === 'restored' ? 'because its database was restored' : 'by the operator';
  const erased = erased_tenant_count > 0 ? ` Tenants that were erased again: ${erased_tenant_count}.` : '';
  const lost = discarded
    ? ` Discarded: ${discarded.mails} mails, ${discarded.webhooks} webhook deliveries.`
    : '';
  return `Resumed. It was paused ${reason} since ${paused_at.toISOString()}.${erased}${lost}\n`;
}
