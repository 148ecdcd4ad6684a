import { DateFilter } from '../platform/http/lists/date-filter';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../platform/http/input/fields';
import { pageQuery } from '../platform/http/lists/pagination';
import { CallbackDto } from './callbacks/callback.dto';
import { CALL_STATUSES, type CallStatus, type EndReason } from './machine/call.machine';
import { DeviceReportDto } from './media/media.dto';
import { WaitRangeDto } from './wait-range.dto';
import { ChoiceFilter, IdFilter, SearchFilter } from '../platform/http/lists/query-filters';

export class CallListItemDto {
  @UuidField()
  id: string;

  @ChoiceField(CALL_STATUSES, { example: 'completed' })
  status: CallStatus;

  @UuidField({ optional: true })
  department_id: string | null;

  @TextField({ example: 'Suporte Técnico' })
  department_name: string;

  @UuidField({ optional: true, description: 'The agent' })
  user_id: string | null;

  @TextField({ optional: true, example: 'Ana Souza' })
  user_name: string | null;

  @TextField({ example: 'João Lima' })
  customer_name: string;

  @TextField({ optional: true, example: 'joao@example.com' })
  customer_email: string | null;

  @TextField({ optional: true, example: '+55 11 91234-5678' })
  customer_phone: string | null;

  @BooleanField({
    optional: true,
    example: true,
    description:
      'True if the customer joined through their personal link. False if a customer was found by an e-mail or phone that was only typed: ' +
      'the caller says to be them. Null if the customer is new with this call, or there is none',
  })
  identity_confirmed: boolean | null;

  @IntegerField({ optional: true, description: 'Seconds from start to completion', example: 184 })
  duration: number | null;

  @IntegerField({
    optional: true,
    description: 'Seconds until assigned, or until leaving the queue',
    example: 42,
  })
  wait_time: number | null;

  @IntegerField({ example: 60, description: 'Seconds, as estimated when the customer joined' })
  estimated_wait_time: number;

  @ObjectField(() => WaitRangeDto, {
    optional: true,
    example: { low: 30, high: 120 },
    description: 'As given at the join, or null',
  })
  estimated_wait_range: WaitRangeDto | null;

  @IntegerField({ min: 1, max: 5, optional: true, example: 5 })
  rating: number | null;

  @TextField({ optional: true, example: 'New card sent', description: "The agent's notes" })
  notes: string | null;

  @ChoiceField(['normal', 'timeout', 'disconnect', 'abandoned'], { optional: true })
  end_reason: EndReason | null;

  @BooleanField({ example: false })
  has_recording: boolean;

  @ObjectField(() => CallbackDto, { optional: true, example: null })
  callback: CallbackDto | null;

  @ObjectField(() => DeviceReportDto, { optional: true })
  device_report: DeviceReportDto | null;

  @TimestampField({ optional: true })
  started_at: string | null;

  @TimestampField({ optional: true })
  completed_at: string | null;

  @TimestampField()
  inserted_at: string;

  @UuidField({
    optional: true,
    example: null,
    description: 'The other department in whose line it waits',
  })
  overflow_department_id: string | null;

  @TimestampField({ optional: true, example: null, description: 'When it overflowed' })
  overflowed_at: string | null;
}

export const CALL_SORT_COLUMNS = [
  'id',
  'status',
  'department_id',
  'department_name',
  'user_id',
  'user_name',
  'customer_name',
  'customer_email',
  'customer_phone',
  'identity_confirmed',
  'duration',
  'wait_time',
  'estimated_wait_time',
  'rating',
  'notes',
  'end_reason',
  'has_recording',
  'started_at',
  'completed_at',
  'inserted_at',
  'overflow_department_id',
  'overflowed_at',
] as const;

export class CallListQuery extends pageQuery(CALL_SORT_COLUMNS, {
  sort_by: 'inserted_at',
  sort_order: 'desc',
}) {
  @ChoiceFilter(CALL_STATUSES)
  status?: CallStatus;

  @IdFilter()
  department_id?: string;

  @IdFilter('The agent')
  user_id?: string;

  @DateFilter('Earliest inserted_at')
  date_from?: string;

  @DateFilter('Latest inserted_at; the whole day is included')
  date_to?: string;

  @SearchFilter("Part of the customer's name or e-mail")
  search?: string;
}
