import type { Participant } from '../../calls/call.events';
import { WaitRangeDto } from '../../calls/wait-range.dto';
import { CallbackDto } from '../../calls/callbacks/callback.dto';
import { CALL_STATUSES, type CallStatus, type EndReason } from '../../calls/machine/call.machine';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../../platform/http/input/fields';

/** The call as it was at the event. */
export class CallPayload {
  @UuidField()
  id: string;

  @IntegerField({
    example: 4,
    description: 'Increases with each change of the call, so the higher one is newer',
  })
  version: number;

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

  @UuidField({ optional: true })
  customer_id: string | null;

  @BooleanField({
    optional: true,
    example: true,
    description:
      'False if the customer was found only by an e-mail or phone that was typed; true through a personal link; null for a new customer',
  })
  identity_confirmed: boolean | null;

  @TextField({ example: 'João Lima' })
  customer_name: string;

  @TextField({ optional: true, example: 'joao@example.com' })
  customer_email: string | null;

  @TextField({ optional: true, example: '+55 11 91234-5678' })
  customer_phone: string | null;

  @UuidField({ optional: true, description: 'The access link that the customer used' })
  access_link_id: string | null;

  @TextField({
    optional: true,
    example: 'My card was blocked',
    description: 'What the customer said when joining',
  })
  reason: string | null;

  @IntegerField({ example: 60, description: 'Seconds, as estimated when the customer joined' })
  estimated_wait_time: number;

  @ObjectField(() => WaitRangeDto, {
    optional: true,
    example: { low: 30, high: 120 },
    description: 'As given at the join, or null',
  })
  estimated_wait_range: WaitRangeDto | null;

  @IntegerField({
    optional: true,
    example: 42,
    description: 'Seconds until assigned, or until leaving the queue',
  })
  wait_time: number | null;

  @IntegerField({ optional: true, example: 184, description: 'Seconds from start to completion' })
  duration: number | null;

  @IntegerField({ min: 1, max: 5, optional: true, example: null })
  rating: number | null;

  @ChoiceField(['normal', 'timeout', 'disconnect', 'abandoned'], { optional: true })
  end_reason: EndReason | null;

  @BooleanField({ example: false })
  has_recording: boolean;

  @TimestampField({ example: '2026-01-31T12:00:00.000Z' })
  inserted_at: string;

  @TimestampField({ optional: true, example: '2026-01-31T12:00:42.000Z' })
  assigned_at: string | null;

  @TimestampField({ optional: true, example: '2026-01-31T12:00:50.000Z' })
  started_at: string | null;

  @TimestampField({ optional: true, example: '2026-01-31T12:03:54.000Z' })
  completed_at: string | null;

  @TimestampField({
    optional: true,
    example: '2026-01-31T12:03:54.000Z',
    description: 'When the call reached a final status',
  })
  ended_at: string | null;

  @UuidField({
    optional: true,
    example: null,
    description: 'The other department in whose line it waited',
  })
  overflow_department_id: string | null;

  @TimestampField({ optional: true, example: null, description: 'When it overflowed' })
  overflowed_at: string | null;

  @ObjectField(() => CallbackDto, { optional: true, example: null })
  callback: CallbackDto | null;

  @IntegerField({ example: 0, description: 'Chat messages of both sides' })
  chat_message_count: number;
}

export class CallAssignedPayload extends CallPayload {
  @UuidField({ optional: true, example: null, description: 'The agent whom the call was assigned to before' })
  previous_user_id: string | null;
}

export class CallRequeuedPayload extends CallPayload {
  @UuidField({ optional: true, description: 'The agent whom the call was assigned to' })
  previous_user_id: string | null;

  @IntegerField({
    example: 1,
    description:
      'How many times an agent did not start the call in time; the deactivation of an agent does not count',
  })
  unanswered_count: number;
}

export class CallTransferredPayload extends CallPayload {
  @UuidField({
    optional: true,
    description: 'The department before; the same one if another agent took the call over',
  })
  previous_department_id: string | null;

  @UuidField({ optional: true, description: 'The agent before' })
  previous_user_id: string | null;
}

export class CallRatedPayload extends CallPayload {
  @TextField({ optional: true, max: 2000, example: 'Quick and friendly' })
  rating_comment: string | null;
}

export class PeerReconnectedPayload extends CallPayload {
  @ChoiceField(['customer', 'agent'], { description: 'Who disconnected or reconnected' })
  participant: Participant;
}

export class PeerDisconnectedPayload extends PeerReconnectedPayload {
  @TimestampField({
    example: '2026-01-31T12:02:50.000Z',
    description: 'The call ends at this time unless they reconnect',
  })
  deadline: string;

  @IntegerField({ example: 60, description: 'Seconds that they have to reconnect' })
  grace_seconds: number;
}

export class CallbackDuePayload {
  @ObjectField(() => CallPayload)
  call: CallPayload;

  @TextField({
    optional: true,
    example: 'https://calls.example.com/c/V1StGXR8#resume=<RESUME_TOKEN>',
    description:
      'By which the customer, and nobody else, returns until the call ends; null in the log of deliveries',
  })
  resume_url: string | null;
}
