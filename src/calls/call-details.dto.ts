import { ApiProperty } from '@nestjs/swagger';
import { RequiredSkillDto } from '../access-links/required-skill.dto';
import {
  BooleanField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../platform/http/input/fields';
import { CallQualityDto, RecordingStateDto } from './media/media.dto';
import { CallListItemDto } from './call-list.dto';

export const MAX_PRIORITY = 9;
export const PRIORITY_DESCRIPTION =
  'Each point is worth priority_step seconds of waiting, a setting of the department';

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

  @BooleanField({
    example: true,
    description:
      'Whether the customer was shown estimated_wait_time at the join: not while no agent is reachable or the department is closed, ' +
      'nor if an agent was called at once',
  })
  has_estimate: boolean;

  @TextField({ optional: true, example: null, description: 'Relative; null without a recording' })
  recording_url: string | null;

  @ApiProperty({ type: [CallTagDto] })
  tags: CallTagDto[];

  @TimestampField({ optional: true })
  disconnected_at: string | null;

  @TimestampField({ optional: true })
  reconnected_at: string | null;

  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    example: null,
    description:
      'Entries, each with its time and author; further lines of an entry are indented by two spaces',
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

  @IntegerField({ max: MAX_PRIORITY, example: 0, description: PRIORITY_DESCRIPTION })
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
