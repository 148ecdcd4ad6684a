import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../platform/access/roles';
import {
  BooleanField,
  EmailField,
  ObjectField,
  TextField,
  UuidField,
} from '../../platform/http/input/fields';
import { IsString } from 'class-validator';
import { NewPasswordField } from '../users/passwords';

/** Ours are shorter; an access token in the wrong place is to be told that it is wrong, not too long. */
const LONGEST_TOKEN = 4096;
const REFRESH_TOKEN = '<REFRESH_TOKEN>';

export class LoginDto {
  @EmailField()
  email: string;

  @TextField({ max: 128, example: 'correct horse battery' })
  password: string;

  @TextField({ description: 'Slug or name of the tenant', example: 'padaria-central' })
  tenant: string;
}

export class RefreshDto {
  @TextField({ max: LONGEST_TOKEN, example: REFRESH_TOKEN })
  refresh_token: string;
}

export class LogoutDto {
  @TextField({ max: LONGEST_TOKEN, optional: true, example: REFRESH_TOKEN })
  refresh_token?: string | null;
}

export class LoginUserDto {
  @UuidField()
  id: string;

  @TextField({ example: 'Ana Souza' })
  name: string;

  @EmailField()
  email: string;

  @ApiProperty({ enum: ROLES, example: 'owner' })
  @IsString()
  role: Role;
}

/** The user as a login's answer shows them. */
export const loginUser = ({ id, name, email, role }: LoginUserDto): LoginUserDto => ({
  id,
  name,
  email,
  role,
});

export class LoginAnswerDto {
  @ApiProperty({ description: 'JWT, good for 15 minutes', example: '<ACCESS_TOKEN>' })
  access_token: string;

  @ApiProperty({ description: 'Good for one use within 30 days', example: REFRESH_TOKEN })
  refresh_token: string;

  @ObjectField(() => LoginUserDto)
  user: LoginUserDto;
}

/** The password was right; the second factor is still wanted. */
export class MfaChallengeDto {
  @BooleanField()
  mfa_required: true;

  @ApiProperty({ description: 'For mfa/verify, good for 5 minutes and 5 codes', example: '<MFA_TOKEN>' })
  mfa_token: string;
}

export class VerifyMfaDto {
  @TextField({ max: LONGEST_TOKEN, example: '<MFA_TOKEN>' })
  mfa_token: string;

  @TextField({ max: 64, description: 'Of the authenticator app, or a recovery code', example: '123456' })
  code: string;
}

export class ForgotPasswordDto {
  @EmailField()
  email: string;

  @TextField({ description: 'Slug or name of the tenant', example: 'padaria-central' })
  tenant: string;
}

export class ResetPasswordDto {
  @TextField({ max: 200, description: 'From the mailed link', example: '<RESET_TOKEN>' })
  token: string;

  @NewPasswordField()
  password: string;
}
