import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '../../platform/http/input/fields';
import { MAX_TOKEN_LENGTH } from '../sessions/auth.dto';
import { MAX_TYPED_LENGTH } from '../users/passwords';

export class EnrolMfaDto {
  @TextField({
    max: MAX_TYPED_LENGTH,
    optional: true,
    description: 'Required when the login is older than 10 minutes',
    example: 'correct horse battery',
  })
  password?: string | null;
}

export class MfaEnrolmentDto {
  @ApiProperty({ description: 'To type into an authenticator app (Base32)', example: '<TOTP_SECRET>' })
  secret: string;

  @ApiProperty({ example: 'otpauth://totp/Padaria%20Central:ana%40example.com?secret=…&issuer=…' })
  otpauth_url: string;

  @ApiProperty({ description: 'The otpauth_url as a QR code to scan', example: 'data:image/png;base64,…' })
  qr_code: string;
}

export class MfaCodeDto {
  @TextField({ max: 64, description: 'From the authenticator app', example: '123456' })
  code: string;
}

export class RecoveryCodesDto {
  @ApiProperty({
    type: String,
    isArray: true,
    description: 'Each replaces the app for one login; returned only this once',
    example: ['7k2m-ljqd-e4tv-y3ho'],
  })
  recovery_codes: string[];
}

export class VerifyMfaDto {
  @TextField({ max: MAX_TOKEN_LENGTH, example: '<MFA_TOKEN>' })
  mfa_token: string;

  @TextField({ max: 64, description: 'From the authenticator app, or a recovery code', example: '123456' })
  code: string;
}
