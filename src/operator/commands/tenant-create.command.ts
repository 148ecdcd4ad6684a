import { text } from 'node:stream/consumers';
import { Option, SubCommand } from 'nest-commander';
import { explainError } from '../explain-error';
import { PLAN_NAMES } from '../../plans/plan-catalogue';
import { InputPipe } from '../../platform/http/input/input.pipe';
import { NewTenant, type NewTenantResult } from '../new-tenant';
import { NewTenantDto } from '../new-tenant.dto';
import { OperatorCommand, type OutputOptions } from './operator-command';

interface CreateOptions extends OutputOptions {
  name: string;
  document: string;
  documentType: string;
  adminName: string;
  adminEmail: string;
  plan: string;
  active?: boolean;
  passwordStdin?: boolean;
}

@SubCommand({ name: 'create', description: 'make a tenant with its owner, as at signup' })
export class TenantCreateCommand extends OperatorCommand {
  async run(_: string[], options: CreateOptions): Promise<void> {
    const input = await this.check(options, options.passwordStdin ? await this.readPassword() : null);
    const made = await this.application.use(NewTenant, (tenants) =>
      tenants.create(input, options.active ?? false),
    );
    this.print(made, options, linesOf);
  }

  /** All of standard input without the line's end; an argument would stand in the list of processes. */
  private async readPassword(): Promise<string> {
    const password = (await text(process.stdin)).replace(/\r?\n$/, '');
    return password || this.command.error('error: no password came on standard input');
  }

  private async check(options: CreateOptions, admin_password: string | null): Promise<NewTenantDto> {
    const input = {
      company_name: options.name,
      document: options.document,
      document_type: options.documentType,
      admin_name: options.adminName,
      admin_email: options.adminEmail,
      plan: options.plan,
      admin_password,
    };
    try {
      return (await new InputPipe().transform(input, {
        type: 'custom',
        metatype: NewTenantDto,
      })) as NewTenantDto;
    } catch (error) {
      return this.command.error(`error: ${explainError(error)}`);
    }
  }

  @Option({ flags: '--name <text>', description: "the company's name", required: true })
  parseName(value: string): string {
    return value;
  }

  @Option({ flags: '--document <number>', description: "the company's CPF or CNPJ", required: true })
  parseDocument(value: string): string {
    return value;
  }

  @Option({ flags: '--document-type <type>', description: 'cpf or cnpj', required: true })
  parseDocumentType(value: string): string {
    return value;
  }

  @Option({ flags: '--admin-name <text>', description: "the owner's name", required: true })
  parseAdminName(value: string): string {
    return value;
  }

  @Option({ flags: '--admin-email <address>', description: "the owner's e-mail", required: true })
  parseAdminEmail(value: string): string {
    return value;
  }

  @Option({ flags: '--plan <plan>', description: PLAN_NAMES.join(', '), defaultValue: 'free' })
  parsePlan(value: string): string {
    return value;
  }

  @Option({ flags: '--active', description: 'put the plan in force at once, without a payment' })
  parseActive(): boolean {
    return true;
  }

  @Option({
    flags: '--password-stdin',
    description:
      "read the owner's password from standard input; without it the owner is mailed an invitation",
  })
  parsePasswordStdin(): boolean {
    return true;
  }
}

function linesOf({ tenant, user, subscription, invited }: NewTenantResult): string {
  return [
    `${tenant.slug} is made: ${tenant.id}`,
    `Plan ${subscription.plan}, ${subscription.status}`,
    invited
      ? `${user.email} is mailed a link to choose a password, by the running service.`
      : `${user.email} can log in.`,
  ]
    .map((line) => `${line}\n`)
    .join('');
}
