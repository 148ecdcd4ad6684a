import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../platform/http/principal';
import { EmailField, ObjectField, TextField, UuidField } from '../platform/http/fields';
import { IsString } from 'class-validator';

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
  @TextField({ max: 200, example: REFRESH_TOKEN })
  refresh_token: string;
}

export class LogoutDto {
  @TextField({ max: 200, optional: true, example: REFRESH_TOKEN })
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

export class LoginAnswerDto {
  @ApiProperty({ description: 'JWT, good for 15 minutes', example: '<ACCESS_TOKEN>' })
  access_token: string;

  @ApiProperty({ description: 'Good for one use within 30 days', example: REFRESH_TOKEN })
  refresh_token: string;

  @ObjectField(() => LoginUserDto)
  user: LoginUserDto;
}
