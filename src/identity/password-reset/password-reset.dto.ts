import { EmailField, TextField } from '../../platform/http/input/fields';
import { PastedToken } from '../../platform/text/link-token';
import { NewPasswordField } from '../users/passwords';

export class ForgotPasswordDto {
  @EmailField()
  email: string;

  @TextField({ description: 'Slug or name of the tenant', example: 'padaria-central' })
  tenant: string;
}

export class ResetPasswordDto {
  @TextField({ max: 200, description: 'From the mailed link', example: '<RESET_TOKEN>' })
  @PastedToken()
  token: string;

  @NewPasswordField()
  password: string;
}
