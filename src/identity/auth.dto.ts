import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../platform/http/principal';
import { EmailField, ObjectField, TextField, UuidField } from '../platform/http/fields';
import { IsString } from 'class-validator';

export class LoginDto {
  @EmailField()
  email: string;

  @TextField({ max: 128, example: 'correct horse battery' })
  password: string;

  @TextField({ description: 'Slug or name of the tenant', example: 'padaria-central' })
  tenant: string;
}

export class RefreshDto {
  @TextField({ max: 200 })
  refresh_token: string;
}

export class LogoutDto {
  @TextField({ max: 200, optional: true })
  refresh_token?: string | null;
}

export class LoginUserDto {
  @UuidField()
  id: string;

  @TextField({ example: 'Ana Souza' })
  name: string;

  @EmailField()
  email: string;

  @ApiProperty({ enum: ROLES })
  @IsString()
  role: Role;
}

export class LoginAnswerDto {
  @ApiProperty({ description: 'JWT, good for 15 minutes' })
  access_token: string;

  @ApiProperty({ description: 'Good for one use within 30 days' })
  refresh_token: string;

  @ObjectField(() => LoginUserDto)
  user: LoginUserDto;
}
