import { OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateNested } from 'class-validator';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
  UuidsField,
} from '../../platform/http/input/fields';
import { pageQuery } from '../../platform/http/lists/pagination';
import { ROLES, type Role } from '../../platform/access/roles';
import { PRESENCES, type Presence } from '../../presence/presence.rules';
import { ChangedPasswordField, MAX_TYPED_LENGTH, NewPasswordField } from './passwords';
import { BooleanFilter, ChoiceFilter, IdFilter, SearchFilter } from '../../platform/http/lists/query-filters';

/** The highest level of a skill. The lowest is 1. */
export const MAX_SKILL_LEVEL = 5;

export class UserSkillDto {
  @UuidField()
  skill_id: string;

  @TextField({ example: 'English' })
  name: string;

  @IntegerField({ min: 1, max: MAX_SKILL_LEVEL, example: 3 })
  level: number;
}

export class UserDto {
  @UuidField()
  id: string;

  @TextField({ example: 'Ana Souza' })
  name: string;

  @EmailField()
  email: string;

  @TextField({ max: 40, optional: true, example: '+55 11 91234-5678' })
  phone: string | null;

  @TextField({
    optional: true,
    example: null,
    description: 'The address of the photo, which anyone can read; null without one',
  })
  avatar_url: string | null;

  @ChoiceField(ROLES)
  role: Role;

  @BooleanField()
  active: boolean;

  @BooleanField({ example: false, description: 'Whether the user has not chosen a password yet' })
  invited: boolean;

  @BooleanField({ example: false })
  mfa_enabled: boolean;

  @UuidsField()
  department_ids: string[];

  @ObjectField(() => UserSkillDto, {
    list: true,
    example: [{ skill_id: '8f5a1b9e-6a0d-4c3c-9a51-0b1f8f4c2d77', name: 'English', level: 3 }],
    description: 'Sorted by name',
  })
  skills: UserSkillDto[];

  @ChoiceField(PRESENCES)
  presence: Presence;

  @TimestampField({ optional: true })
  last_login_at: string | null;

  @TimestampField()
  inserted_at: string;

  @TimestampField()
  updated_at: string;
}

export class CreateUserDto {
  @TextField({ example: 'Ana Souza' })
  name: string;

  @EmailField()
  email: string;

  @TextField({ max: 40, optional: true, example: '+55 11 91234-5678' })
  phone?: string | null;

  @ChoiceField(ROLES)
  role: Role;

  @NewPasswordField({ optional: true })
  password?: string | null;

  @UuidsField({ optional: true, description: 'Departments that the user is a member of' })
  department_ids?: string[] | null;

  @UuidField({ optional: true, description: 'The same as department_ids with this one alone' })
  department_id?: string | null;
}

/** The departments that a body names in either way; undefined without any. */
export const departmentIdsOf = ({
  department_ids,
  department_id,
}: Pick<CreateUserDto, 'department_ids' | 'department_id'>): string[] | undefined =>
  department_ids ?? (department_id ? [department_id] : undefined);

/** A user who chooses the password through the mailed invitation. */
export class InviteUserDto extends OmitType(CreateUserDto, ['password']) {}

const MAX_BATCH_SIZE = 100;

export class UserBatchDto {
  @ObjectField(() => InviteUserDto, {
    list: true,
    description: `1 to ${MAX_BATCH_SIZE} users`,
    example: [{ name: 'Ana Souza', email: 'ana@example.com', role: 'attendant' }],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BATCH_SIZE)
  @ValidateNested({ each: true })
  users: InviteUserDto[];
}

export class UpdateUserDto extends PartialType(OmitType(CreateUserDto, ['password'])) {
  @BooleanField({ optional: true, nullable: false })
  active?: boolean | null;

  @ChangedPasswordField('For a user of a lower role, who is mailed and whose sessions end')
  password?: string;
}

export class UpdateCurrentUserDto extends PartialType(PickType(CreateUserDto, ['name', 'phone'])) {
  @ChangedPasswordField('Ends the other sessions of the user')
  password?: string;

  @TextField({
    max: MAX_TYPED_LENGTH,
    optional: true,
    description: 'Required with a new password',
    example: 'the former one',
  })
  current_password?: string | null;
}

const SORT_COLUMNS = [
  'name',
  'email',
  'phone',
  'role',
  'active',
  'presence',
  'last_login_at',
  'inserted_at',
  'updated_at',
  'id',
  'invited',
  'mfa_enabled',
] as const;

export class UserListQuery extends pageQuery(SORT_COLUMNS, { sort_by: 'name', sort_order: 'asc' }) {
  @ChoiceFilter(ROLES)
  role?: Role;

  @BooleanFilter()
  active?: boolean;

  @IdFilter()
  department_id?: string;

  @SearchFilter('Part of the name or e-mail address')
  search?: string;
}
