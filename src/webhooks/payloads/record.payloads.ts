import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { AccessLinkDto } from '../../access-links/access-link.dto';
import { AppointmentDto } from '../../appointments/appointment.dto';
import { CustomerDto } from '../../customers/customer.dto';
import { DepartmentDto } from '../../departments/department.dto';
import { UserDto } from '../../identity/users/user.dto';
import { BooleanField, TextField, UuidField, UuidsField } from '../../platform/http/input/fields';

const ChangedField = (example: string[]) =>
  ApiProperty({ type: [String], example, description: 'Names of the fields that changed' });

export class CustomerUpdatedPayload extends CustomerDto {
  @ChangedField(['phone'])
  changed: string[];
}

export class CustomerMergedPayload extends CustomerDto {
  @UuidsField({
    example: ['a3b0c7e2-5f0e-4f8f-9f57-0d0f6a9b1c22'],
    description: 'The customers that were merged into this one and deleted',
  })
  duplicate_ids: string[];
}

export class CustomerDeletedPayload {
  @UuidField()
  id: string;

  @BooleanField({
    example: false,
    description: 'Whether all personal data of the customer was erased as well',
  })
  erased: boolean;
}

/** Either one gives access to the queue, so payloads contain neither. */
export const LINK_CREDENTIALS = ['token', 'url'] as const;

export class AccessLinkPayload extends OmitType(AccessLinkDto, LINK_CREDENTIALS) {}

export class AppointmentPayload extends OmitType(AppointmentDto, ['access_link', 'customer_name'] as const) {}

export class DepartmentUpdatedPayload extends DepartmentDto {
  @ChangedField(['max_wait_time'])
  changed: string[];
}

export class DepartmentDeletedPayload {
  @UuidField()
  id: string;
}

export const USER_PAYLOAD_FIELDS = [
  'id',
  'name',
  'email',
  'phone',
  'role',
  'active',
  'department_ids',
  'skills',
  'inserted_at',
  'updated_at',
] as const;

export class UserPayload extends PickType(UserDto, USER_PAYLOAD_FIELDS) {}

export class UserUpdatedPayload extends UserPayload {
  @ChangedField(['role', 'department_ids'])
  changed: string[];
}

export class WebhookTestPayload {
  @TextField({ example: 'This is a test. The webhook works.' })
  message: string;

  @UuidField()
  webhook_id: string;
}
