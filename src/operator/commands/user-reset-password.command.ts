import { Option, SubCommand } from 'nest-commander';
import { UserPassword } from '../user-password';
import { OperatorCommand, type OutputOptions } from './operator-command';

@SubCommand({
  name: 'reset-password',
  arguments: '<tenant> <email>',
  argsDescription: { tenant: 'slug or id', email: "the user's e-mail" },
  description: 'have a link mailed by which a user chooses a new password',
})
export class UserResetPasswordCommand extends OperatorCommand {
  async run(
    [tenant = '', email = '']: string[],
    options: OutputOptions & { printLink?: boolean },
  ): Promise<void> {
    const result = await this.application.use(UserPassword, (passwords) =>
      options.printLink ? passwords.makeLink(tenant, email) : passwords.mailLink(tenant, email),
    );
    this.print(result, options, ({ url }) =>
      url
        ? `${url}\n`
        : `${result.email} is mailed a link that is good for half an hour, by the running service.\n`,
    );
  }

  @Option({
    flags: '--print-link',
    description: 'print the link instead, for a user who gets no mail; it is good once, for half an hour',
  })
  parsePrintLink(): boolean {
    return true;
  }
}
