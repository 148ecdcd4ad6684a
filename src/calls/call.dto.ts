import { ApiProperty } from '@nestjs/swagger';
import { DateFilter } from '../platform/http/lists/date-filter';
import {
  MAX_REQUIRED_SKILLS,
  RequiredSkillDto,
  RequiredSkillInputDto,
} from '../access-links/required-skill.dto';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ObjectField,
  ObjectListField,
  TextField,
  TimestampField,
  UuidField,
} from '../platform/http/input/fields';
import { pageQuery } from '../platform/http/lists/pagination';
import { CallbackDto } from './callbacks/callback.dto';
import { CALL_STATUSES, type CallStatus, type EndReason } from './machine/call.machine';
import { CallQualityDto, DeviceReportDto, RecordingStateDto } from './media/media.dto';
import { WaitRangeDto } from './wait-range.dto';
import { ChoiceFilter, IdFilter, SearchFilter } from '../platform/http/lists/query-filters';

const MAX_PRIORITY = 9;
const MAX_NOTES = 10_000;
const PRIORITY = 'Each point is worth priority_step seconds of waiting, a setting of the department';

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

export class CallTagDto {
  @UuidField()
  id: string;

  @TextField({ example: 'vip' })
  name: string;

  @TextField({ example: '#16a34a' })
  color: string;
}

/** Where a call was before its last transfer. */
export class TransferredFromDto {
  @UuidField({ optional: true })
  department_id: string | null;

  @UuidField({ optional: true, description: 'The agent' })
  user_id: string | null;

  @TimestampField()
  at: string;
}

/** The offer of a transfer to an agent. */
export class TransferOfferDto {
  @UuidField()
  id: string;

  @UuidField({ description: 'The agent who is offered the call' })
  user_id: string;

  @TimestampField({ description: 'The agent can answer until then' })
  expires_at: string;
}

export class CallDetailsDto extends CallListItemDto {
  @UuidField({
    optional: true,
    description: 'The customer, as found by e-mail, phone or link at the join; null without one',
  })
  customer_id: string | null;

  @TextField({ optional: true, example: null, description: 'Relative; null without a recording' })
  recording_url: string | null;

  @ApiProperty({ type: [CallTagDto] })
  tags: CallTagDto[];

  @TimestampField({ optional: true })
  disconnected_at: string | null;

  @TimestampField({ optional: true })
  reconnected_at: string | null;

  @ChoiceField(['normal', 'timeout', 'disconnect', 'abandoned'], { optional: true })
  end_reason: EndReason | null;

  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    example: null,
    description: 'One entry per line, each with its time and author',
  })
  manager_notes: string | null;

  @TextField({
    optional: true,
    example: 'My card was blocked',
    description: 'The reason that the customer gave when joining',
  })
  reason: string | null;

  @TextField({ optional: true, example: 'Quick and friendly' })
  rating_comment: string | null;

  @UuidField({ optional: true, description: 'The agent with whom the customer has an appointment' })
  reserved_user_id: string | null;

  @IntegerField({
    example: 0,
    description: 'How many times an agent whom the call was assigned to did not start it in time',
  })
  unanswered_count: number;

  @ObjectField(() => TransferredFromDto, {
    optional: true,
    example: null,
    description:
      'Where the call was before its last transfer; the same department if an agent handed it over to another one',
  })
  transferred_from: TransferredFromDto | null;

  @ObjectField(() => TransferOfferDto, {
    optional: true,
    example: null,
    description: 'While another agent is asked to take the active call over; otherwise null',
  })
  transfer_offer: TransferOfferDto | null;

  @TimestampField({
    optional: true,
    example: null,
    description:
      'When a waiting customer without a socket was last seen; null with a socket, and after the wait',
  })
  absent_since: string | null;

  @IntegerField({ max: MAX_PRIORITY, example: 0, description: PRIORITY })
  priority: number;

  @ObjectField(() => RequiredSkillDto, {
    list: true,
    example: [],
    description: 'The skills that an agent needs to be offered the call, sorted by skill_id',
  })
  skills: RequiredSkillDto[];

  @IntegerField({ example: 0 })
  chat_message_count: number;

  @ObjectField(() => CallQualityDto, { optional: true, description: 'Null without reports' })
  quality: CallQualityDto | null;

  @ObjectField(() => RecordingStateDto, {
    optional: true,
    description: 'Null unless the agent has asked to record',
  })
  recording_state: RecordingStateDto | null;
}

/** The changes of a call. What is left out stays as it is, and a priority or skills that are null. */
export class UpdateCallDto {
  @TextField({
    max: MAX_NOTES,
    optional: true,
    example: null,
    description: "The agent's notes, from the assignment on; null clears them",
  })
  notes?: string | null;

  @IntegerField({ max: MAX_PRIORITY, optional: true, example: 5, description: PRIORITY })
  priority?: number | null;

  @ObjectListField(() => RequiredSkillInputDto, {
    max: MAX_REQUIRED_SKILLS,
    key: 'skill_id',
    optional: true,
    example: [],
    description: 'Replaces the skills that an agent needs to be offered the call',
  })
  skills?: RequiredSkillInputDto[] | null;
}

export class AssignCallDto {
  @UuidField({ optional: true, description: 'The agent; the caller by default' })
  user_id?: string | null;
}

export class CompleteCallDto {
  @TextField({ max: MAX_NOTES, optional: true, example: 'New card sent' })
  notes?: string | null;
}

export class CallAssignmentDto {
  @UuidField()
  id: string;

  @ChoiceField(CALL_STATUSES, { example: 'assigned' })
  status: CallStatus;

  @UuidField()
  user_id: string;

  @TextField({ example: 'Ana Souza' })
  user_name: string;
}

export class StartedDto {
  @UuidField()
  id: string;

  @ChoiceField(CALL_STATUSES, { example: 'active' })
  status: CallStatus;

  @TimestampField()
  started_at: string;
}

export class CallCompletionDto {
  @UuidField()
  id: string;

  @ChoiceField(CALL_STATUSES, { example: 'completed' })
  status: CallStatus;

  @TimestampField()
  completed_at: string;
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
  'duration',
  'wait_time',
  'estimated_wait_time',
  'rating',
  'notes',
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

  @DateFilter('earliest inserted_at')
  date_from?: string;

  @DateFilter('latest inserted_at; a date without a time includes the whole day')
  date_to?: string;

  @SearchFilter("Part of the customer's name or e-mail")
  search?: string;
}
