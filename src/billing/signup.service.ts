import { Injectable } from '@nestjs/common';
import { EmailConfirmation } from '../identity/confirmation/email-confirmation';
import { PasswordHasher } from '../identity/users/password-hasher';
import { UsersService } from '../identity/users/users.service';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { invalidField } from '../platform/http/errors/api-error';
import { RateLimiter } from '../platform/rate-limit/rate-limiter';
import { SubscriptionWriter } from '../plans/subscription-writer';
import { TenantsService } from '../tenancy/tenants.service';
import { normalizeDocument } from './normalize-document';
import type { RegisterDto, RegistrationDto, ValidateDocumentDto, ValidDocumentDto } from './signup.dto';

type NewCompany = Omit<RegisterDto, 'admin_password'>;

/** Registers companies. */
@Injectable()
export class SignupService {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsService,
    private readonly subscriptions: SubscriptionWriter,
    private readonly users: UsersService,
    private readonly confirmation: EmailConfirmation,
    private readonly hasher: PasswordHasher,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * @param address the client's, as rate limits count it
   * @throws 422 if the document is invalid or in use; 429 for any document after five that were in use, within a minute
   */
  async validateDocument(
    { document, document_type }: ValidateDocumentDto,
    address: string,
  ): Promise<ValidDocumentDto> {
    const isInUse = await this.isInUse(normalizeDocument(document, document_type));
    // Counted after the document is looked up: of many at once, too, no more than five answers say "in use".
    if (isInUse) await this.limiter.consume('document_in_use', address);
    else await this.limiter.ensureNotReached('document_in_use', address);
    if (isInUse) throw invalidField('document', 'is already in use');
    return { valid: true, document: normalizeOrThrow(document, document_type), document_type };
  }

  private async isInUse(document: string | null): Promise<boolean> {
    if (document === null) return false;
    const [found] = await this.database.readSystem<[object]>([
      { text: 'SELECT 1 FROM tenants WHERE document = $1', values: [document] },
    ]);
    return found.length > 0;
  }

  /**
   * Creates a tenant with its owner and its subscription, and has the owner's e-mail address confirmed. Of two simultaneous registrations of one
   * document, one fails, since the document is unique in the database.
   * @throws 422 if the document is invalid or in use
   */
  async register(input: RegisterDto): Promise<RegistrationDto> {
    normalizeOrThrow(input.document, input.document_type);
    const password_hash = await this.hasher.hash(input.admin_password);
    return this.database.system(async (tx) => {
      const created = await this.createTenant(tx, input, password_hash);
      await this.confirmation.request(tx, { tenant_id: created.tenant.id, user_id: created.user.id });
      return created;
    });
  }

  /**
   * As `register`, without the confirmation, within a system transaction, which is narrowed to the new tenant.
   * @param password_hash null for an owner who is invited to choose a password
   */
  async createTenant(
    tx: Transaction,
    input: NewCompany,
    password_hash: string | null,
  ): Promise<RegistrationDto> {
    const { document_type } = input;
    const document = normalizeOrThrow(input.document, document_type);
    const tenant = await this.tenants.create(tx, { name: input.company_name, document, document_type });
    tx.narrow(tenant.id);
    const { plan, status } = await this.subscriptions.start(tx, tenant.id, input.plan);
    const { id, name, email, role } = await this.users.insert(tx, {
      tenant_id: tenant.id,
      name: input.admin_name,
      email: input.admin_email,
      role: 'owner',
      phone: null,
      password_hash,
    });
    return {
      tenant: { id: tenant.id, name: tenant.name, slug: tenant.slug },
      user: { id, name, email, role },
      subscription: { plan, status },
    };
  }
}

function normalizeOrThrow(document: string, type: 'cpf' | 'cnpj'): string {
  const normalized = normalizeDocument(document, type);
  if (!normalized) throw invalidField('document', `is not a valid ${type.toUpperCase()}`);
  return normalized;
}
