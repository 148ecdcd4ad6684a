import { SubCommand } from 'nest-commander';
import { UserMfa } from '../user-mfa';
import { OperatorCommand, type OutputOptions } from './operator-command';

@SubCommand({
  name: 'reset-mfa',
  arguments: '<tenant> <email>',
  argsDescription: { tenant: 'slug or id', email: "the user's e-mail" },
  description: 'take the second factor from a user who has lost it, and end their sessions',
})
export class UserResetMfaCommand extends OperatorCommand {
  async run([tenant = '', email = '']: string[], options: OutputOptions): Promise<void> {
    const result = await this.application.use(UserMfa, (mfa) => mfa.reset(tenant, email));
    this.print(result, options, ({ changed }) =>
      changed
        ? `${email} logs in with the password alone now.\n`
        : `${email} has no second factor: nothing was changed.\n`,
    );
  }
}
