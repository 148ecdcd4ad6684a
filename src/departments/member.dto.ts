import { ROLES, type Role } from '../platform/access/roles';
import { BooleanField, ChoiceField, EmailField, TextField, UuidField } from '../platform/http/input/fields';

export class MemberDto {
  @UuidField()
  id: string;

  @TextField({ example: 'Ana Souza' })
  name: string;

  @EmailField()
  email: string;

  @ChoiceField(ROLES)
  role: Role;

  @BooleanField()
  active: boolean;
}

export class AddMemberDto {
  @UuidField()
  user_id: string;
}
