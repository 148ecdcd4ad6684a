import { text } from 'node:stream/consumers';
import { Option, SubCommand } from 'nest-commander';
import { formatError } from '../../format-error';
import { PLAN_NAMES } from '../../../plans/plan-catalogue';
import { InputPipe } from '../../../platform/http/input/input.pipe';
import { TenantCreation, type TenantCreationResult } from '../../tenants/tenant-creation';
import { NewTenantDto } from '../../tenants/new-tenant.dto';
import { OperatorCommand, type OutputOptions } from '../operator-command';

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

@SubCommand({ name: 'create', description: 'create a tenant with its owner, as at signup' })
export class TenantCreateCommand extends OperatorCommand {
  async run(_: string[], options: CreateOptions): Promise<void> {
    const input = await this.validate(options, options.passwordStdin ? await this.readPassword() : null);
    const created = await this.application.use(TenantCreation, (tenants) =>
      tenants.create(input, options.active ?? false),
    );
    this.print(created, options, formatResult);
  }

  /** Reads standard input up to its final line break. An argument would be visible in the process list. */
  private async readPassword(): Promise<string> {
    const password = (await text(process.stdin)).replace(/\r?\n$/, '');
    return password || this.command.error('error: standard input has no password');
  }

  private async validate(options: CreateOptions, admin_password: string | null): Promise<NewTenantDto> {
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
      return this.command.error(`error: ${formatError(error)}`);
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
    description: "read the owner's password from standard input; without it the owner is sent an invitation",
  })
  parsePasswordStdin(): boolean {
    return true;
  }
}

function formatResult({ tenant, user, subscription, invited }: TenantCreationResult): string {
  return [
    `Created ${tenant.slug}: ${tenant.id}`,
    `Plan ${subscription.plan}, ${subscription.status}`,
    invited
      ? `The running service sends ${user.email} a link to choose a password.`
      : `${user.email} can log in.`,
  ]
    .map((line) => `${line}\n`)
    .join('');
}
