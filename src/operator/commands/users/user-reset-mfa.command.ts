import { SubCommand } from 'nest-commander';
import { UserMfaReset } from '../../users/user-mfa-reset';
import { OperatorCommand, type OutputOptions } from '../operator-command';

@SubCommand({
  name: 'reset-mfa',
  arguments: '<tenant> <email>',
  argsDescription: { tenant: 'slug or id', email: "the user's e-mail" },
  description: "remove a user's lost second factor and end their sessions",
})
export class UserResetMfaCommand extends OperatorCommand {
  async run([tenant = '', email = '']: string[], options: OutputOptions): Promise<void> {
    const result = await this.application.use(UserMfaReset, (mfa) => mfa.reset(tenant, email));
    this.print(result, options, ({ changed }) =>
      changed
        ? `${email} now logs in with the password alone.\n`
        : `${email} has no second factor; nothing changed.\n`,
    );
  }
}
