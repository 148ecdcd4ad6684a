import { PickType } from '@nestjs/swagger';
import { BooleanField, ObjectField } from '../../platform/http/input/fields';
import { TenantDto } from '../../tenancy/tenant.dto';
import { UserDto } from './user.dto';

/** What everybody may know of the settings of their company, which only managers read as a whole. */
class OwnTenantDto extends PickType(TenantDto, ['timezone', 'alert_longest_wait', 'alert_nobody_available']) {
  @BooleanField({ example: true, description: 'Whether this service can write transcripts now' })
  has_transcripts: boolean;

  @BooleanField({ example: true, description: 'Whether this service can write summaries now' })
  has_summaries: boolean;
}

/** The authenticated user. */
export class CurrentUserDto extends UserDto {
  @ObjectField(() => OwnTenantDto, { description: 'Settings of the company that every user may read' })
  tenant: OwnTenantDto;
}
