import { OmitType } from '@nestjs/swagger';
import { RegisterDto } from '../billing/signup.dto';
import { NewPasswordField } from '../identity/users/passwords';

/** As at signup, but that the owner may be invited to choose a password. */
export class NewTenantDto extends OmitType(RegisterDto, ['admin_password']) {
  @NewPasswordField({ optional: true })
  admin_password?: string | null;
}
