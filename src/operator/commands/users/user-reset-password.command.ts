import { Option, SubCommand } from 'nest-commander';
import { UserPasswordReset } from '../../users/user-password-reset';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'reset-password',
  arguments: '<tenant> <email>',
  argsDescription: { tenant: 'slug or id', email: "the user's e-mail" },
  description: 'send a user a link to choose a new password',
})
export class UserResetPasswordCommand extends OperatorCommand {
  async run(
    [tenant = '', email = '']: string[],
    options: OutputOptions & { printLink?: boolean },
  ): Promise<void> {
    const result = await this.application.use(UserPasswordReset, (reset) =>
      options.printLink ? reset.createLink(tenant, email) : reset.mailLink(tenant, email),
    );
    this.print(result, options, ({ url }) =>
      url ? `${url}\n` : `The running service sends ${result.email} a link that is valid for half an hour.\n`,
    );
  }

  @Option({
    flags: '--print-link',
    description: 'print the link instead of sending it; it is valid once, for half an hour',
  })
  parsePrintLink(): boolean {
    return true;
  }
}
