import { Command } from 'nest-commander';
import { InstallationResumption, type Resumption } from '../../installation/installation-resumption';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@Command({
  name: 'resume',
  description: 'let an installation that was restored or paused send its mails and webhooks again',
})
export class ResumeCommand extends OperatorCommand {
  async run(_: string[], options: OutputOptions): Promise<void> {
    const before = await this.application.use(InstallationResumption, (installation) =>
      installation.resume(),
    );
    this.print(before, options, formatResumption);
  }
}

function formatResumption({ paused_at, pause_reason, erased_tenant_count }: Resumption): string {
  if (!paused_at) return 'The installation was not paused.\n';
  const reason = pause_reason === 'restored' ? 'because its database was restored' : 'by the operator';
  const erased = erased_tenant_count > 0 ? ` Tenants that were erased again: ${erased_tenant_count}.` : '';
  return `Resumed. It was paused ${reason} since ${paused_at.toISOString()}.${erased}\n`;
}
