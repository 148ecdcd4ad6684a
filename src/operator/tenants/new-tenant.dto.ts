import { OmitType } from '@nestjs/swagger';
import { RegisterDto } from '../../billing/signup.dto';
import { NewPasswordField } from '../../identity/users/passwords';

/** The fields of a signup; without a password the owner is invited to choose one. */
export class NewTenantDto extends OmitType(RegisterDto, ['admin_password']) {
  @NewPasswordField({ optional: true })
  admin_password?: string | null;
}
