import { PLAN_NAMES, type PlanName, SUBSCRIPTION_STATUSES } from '../plans/plan-catalogue';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  LowerCase,
  ObjectField,
  TextField,
  UuidField,
} from '../platform/http/input/fields';
import { LoginUserDto } from '../identity/sessions/auth.dto';
import { NewPasswordField } from '../identity/users/passwords';

export const DOCUMENT_TYPES = ['cpf', 'cnpj'] as const;

export class ValidateDocumentDto {
  @TextField({
    max: 30,
    description: 'CPF or CNPJ, with or without punctuation',
    example: '11.222.333/0001-81',
  })
  document: string;

  @ChoiceField(DOCUMENT_TYPES, { example: 'cnpj', description: 'In upper or lower case' })
  @LowerCase()
  document_type: 'cpf' | 'cnpj';
}

export class ValidDocumentDto {
  @BooleanField()
  valid: true;

  @TextField({ description: 'Without punctuation, in upper case', example: '11222333000181' })
  document: string;

  @ChoiceField(DOCUMENT_TYPES, { example: 'cnpj' })
  document_type: 'cpf' | 'cnpj';
}

export class RegisterDto extends ValidateDocumentDto {
  @TextField({ example: 'Padaria Central' })
  company_name: string;

  @TextField({ example: 'Ana Souza' })
  admin_name: string;

  @EmailField()
  admin_email: string;

  @NewPasswordField()
  admin_password: string;

  @ChoiceField(PLAN_NAMES, { example: 'free' })
  plan: PlanName;
}

class RegisteredTenantDto {
  @UuidField()
  id: string;

  @TextField({ example: 'Padaria Central' })
  name: string;

  @TextField({ example: 'padaria-central' })
  slug: string;
}

class RegisteredSubscriptionDto {
  @ChoiceField(PLAN_NAMES)
  plan: PlanName;

  @ChoiceField(SUBSCRIPTION_STATUSES, { example: 'active' })
  status: string;
}

export class RegistrationDto {
  @ObjectField(() => RegisteredTenantDto)
  tenant: RegisteredTenantDto;

  @ObjectField(() => LoginUserDto)
  user: LoginUserDto;

  @ObjectField(() => RegisteredSubscriptionDto)
  subscription: RegisteredSubscriptionDto;
}
