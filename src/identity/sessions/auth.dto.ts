import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../platform/access/roles';
import {
  BooleanField,
  EmailField,
  IntegerField,
  ObjectField,
  TextField,
  UuidField,
} from '../../platform/http/input/fields';
import { IsString } from 'class-validator';
import { MAX_TYPED_LENGTH } from '../users/passwords';

/** Longer than any token issued here, so that a token of another kind is rejected as invalid, not too long. */
export const MAX_TOKEN_LENGTH = 4096;
const REFRESH_TOKEN = '<REFRESH_TOKEN>';

export class LoginDto {
  @EmailField()
  email: string;

  @TextField({ max: MAX_TYPED_LENGTH, example: 'correct horse battery' })
  password: string;

  @TextField({ description: 'Slug or name of the tenant', example: 'padaria-central' })
  tenant: string;
}

export class RefreshDto {
  @TextField({ max: MAX_TOKEN_LENGTH, example: REFRESH_TOKEN })
  refresh_token: string;
}

export class LogoutDto {
  @TextField({ max: MAX_TOKEN_LENGTH, optional: true, example: REFRESH_TOKEN })
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

/** The fields of a user that a login returns. */
export const toLoginUser = ({ id, name, email, role }: LoginUserDto): LoginUserDto => ({
  id,
  name,
  email,
  role,
});

export class LoginAnswerDto {
  @ApiProperty({ description: 'JWT, valid for 15 minutes', example: '<ACCESS_TOKEN>' })
  access_token: string;

  @IntegerField({ description: 'Seconds until the access token expires', example: 900 })
  expires_in: number;

  @ApiProperty({
    description:
      'Can be used once within 30 days. A repetition within 30 s gets the same new token, for clients that lost the answer',
    example: REFRESH_TOKEN,
  })
  refresh_token: string;

  @ObjectField(() => LoginUserDto)
  user: LoginUserDto;
}

/** Returned when the password is right and a second factor is required. */
export class MfaChallengeDto {
  @BooleanField()
  mfa_required: true;

  @ApiProperty({ description: 'For mfa/verify, valid for 5 minutes and 5 codes', example: '<MFA_TOKEN>' })
  mfa_token: string;
}
