import { PartialType } from '@nestjs/swagger';
import { LINK_STATUSES, type LinkStatus } from '../access-links/access-link.dto';
import { naturalOrder } from '../platform/database/natural-order';
import { PlusForSpace } from '../platform/http/input/timestamp';
import { DateFilter } from '../platform/http/lists/date-filter';
import {
  BooleanField,
  ChoiceField,
  ObjectField,
  TextField,
  TimestampField,
  TimestampInputField,
  UuidField,
} from '../platform/http/input/fields';
import { pageQuery } from '../platform/http/lists/pagination';
import { APPOINTMENT_STATUSES, type AppointmentStatus } from './appointment.machine';
import { ChoiceFilter, IdFilter, SearchFilter } from '../platform/http/lists/query-filters';

export class CreateAppointmentDto {
  @UuidField({ description: 'The agent, an active user' })
  user_id: string;

  @TimestampInputField()
  starts_at: string;

  @TimestampInputField({
    example: '2027-01-31T09:30:00-03:00',
    description: 'After starts_at, by at most 24 hours',
  })
  ends_at: string;

  @UuidField({
    optional: true,
    description:
      "The department whose queue the link leads to. If omitted, confirming sets the agent's first department, else the only one",
  })
  department_id?: string | null;

  @UuidField({ optional: true })
  customer_id?: string | null;

  @TextField({ optional: true, example: 'Contract renewal', description: 'Shown in the invitation' })
  title?: string | null;

  @TextField({
    max: 10_000,
    optional: true,
    example: 'Bring the contract',
    description: 'Visible to staff only',
  })
  notes?: string | null;

  @BooleanField({
    optional: true,
    nullable: false,
    example: false,
    description:
      'Whether it is confirmed in the same step, as by its action: the link is made and the customer invited',
  })
  confirm?: boolean;
}

export class UpdateAppointmentDto extends PartialType(CreateAppointmentDto) {}

export class AppointmentLinkDto {
  @UuidField()
  id: string;

  @TextField({ example: 'V1StGXR8_Z5jdHi6B-myTQ' })
  token: string;

  @TextField({ example: 'https://calls.example.com/c/V1StGXR8_Z5jdHi6B-myTQ' })
  url: string;

  @ChoiceField(LINK_STATUSES)
  status: LinkStatus;

  @TimestampField({ example: '2027-01-31T11:45:00.000Z', description: '15 minutes before the start' })
  valid_from: string;

  @TimestampField({ example: '2027-01-31T12:30:00.000Z', description: 'The end' })
  expires_at: string;
}

export class AppointmentDto {
  @UuidField()
  id: string;

  @UuidField({ optional: true })
  department_id: string | null;

  @UuidField({ description: 'The agent' })
  user_id: string;

  @UuidField({ optional: true })
  customer_id: string | null;

  @TextField({ optional: true, example: 'João Lima' })
  customer_name: string | null;

  @TextField({ optional: true, example: 'Contract renewal' })
  title: string | null;

  @TimestampField({ example: '2027-01-31T12:00:00.000Z' })
  starts_at: string;

  @TimestampField({ example: '2027-01-31T12:30:00.000Z' })
  ends_at: string;

  @ChoiceField(APPOINTMENT_STATUSES)
  status: AppointmentStatus;

  @TextField({ max: 10_000, optional: true, example: 'Bring the contract' })
  notes: string | null;

  @ObjectField(() => AppointmentLinkDto, { optional: true, description: 'Created on confirmation' })
  access_link: AppointmentLinkDto | null;

  @TimestampField()
  inserted_at: string;

  @TimestampField()
  updated_at: string;
}

export class ConflictsQuery {
  @UuidField({ description: 'The agent' })
  user_id: string;

  @PlusForSpace()
  @TimestampInputField()
  starts_at: string;

  @PlusForSpace()
  @TimestampInputField({ example: '2027-01-31T09:30:00-03:00' })
  ends_at: string;

  @IdFilter('An appointment to ignore, such as the one to be moved')
  exclude_id?: string;
}

export const APPOINTMENT_SORTABLE = {
  id: 'a.id',
  department_id: 'd.id',
  user_id: 'a.user_id',
  customer_id: 'a.customer_id',
  customer_name: naturalOrder('c.name'),
  title: naturalOrder('a.title'),
  starts_at: 'a.starts_at',
  ends_at: 'a.ends_at',
  status: 'a.status',
  notes: 'a.notes',
  inserted_at: 'a.inserted_at',
  updated_at: 'a.updated_at',
} as const;

const SORT_COLUMNS = Object.keys(APPOINTMENT_SORTABLE) as (keyof typeof APPOINTMENT_SORTABLE)[];

export class AppointmentListQuery extends pageQuery(SORT_COLUMNS, {
  sort_by: 'starts_at',
  sort_order: 'asc',
}) {
  @ChoiceFilter(APPOINTMENT_STATUSES)
  status?: AppointmentStatus;

  @IdFilter()
  department_id?: string;

  @IdFilter('The agent')
  user_id?: string;

  @IdFilter()
  customer_id?: string;

  @DateFilter('Earliest starts_at')
  date_from?: string;

  @DateFilter('Latest starts_at; the whole day is included')
  date_to?: string;

  @SearchFilter("Part of the title or of the customer's name")
  search?: string;
}
