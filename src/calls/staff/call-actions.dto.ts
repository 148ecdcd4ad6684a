import { MAX_REQUIRED_SKILLS, RequiredSkillInputDto } from '../../access-links/required-skill.dto';
import {
  ChoiceField,
  IntegerField,
  ObjectListField,
  TextField,
  TimestampField,
  UuidField,
} from '../../platform/http/input/fields';
import { CALL_STATUSES, type CallStatus } from '../machine/call.machine';
import { MAX_PRIORITY, PRIORITY_DESCRIPTION } from '../call-details.dto';

const MAX_NOTES = 10_000;

/** The changes of a call. What is left out stays as it is, and a priority or skills that are null. */
export class UpdateCallDto {
  @TextField({
    max: MAX_NOTES,
    optional: true,
    example: null,
    description: "The agent's notes, from the assignment on; null clears them",
  })
  notes?: string | null;

  @IntegerField({ max: MAX_PRIORITY, optional: true, example: 5, description: PRIORITY_DESCRIPTION })
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
