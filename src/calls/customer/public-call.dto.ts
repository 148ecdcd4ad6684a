import { ApiProperty } from '@nestjs/swagger';
import { ValidateNested } from 'class-validator';
import { PastedToken } from '../../platform/text/link-token';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../../platform/http/input/fields';
import { IgnoresUnknownParameters } from '../../platform/http/input/dto-options';
import { CallbackDto, RequestCallbackDto } from '../callbacks/callback.dto';
import { CALL_STATUSES, type CallStatus } from '../machine/call.machine';
import { WAIT_RANGE, WaitRangeDto } from '../wait-range.dto';

const WEBSOCKET_TOKEN = '<WEBSOCKET_TOKEN>';

export class LinkAppointmentDto {
  @TimestampField()
  starts_at: string;

  @TimestampField()
  ends_at: string;

  @TextField({ optional: true, example: 'Contract renewal' })
  title: string | null;

  @TextField({ example: 'Ana Souza' })
  agent_name: string;
}

export class LinkValidationDto {
  @BooleanField({ example: true })
  valid: boolean;

  @TextField({ example: 'Suporte Técnico' })
  department_name: string;

  @TextField({ example: 'Padaria Central' })
  company_name: string;

  @TextField({ optional: true, example: null })
  company_logo_url: string | null;

  @TextField({ example: '#2563eb' })
  primary_color: string;

  @IntegerField({ example: 3, description: 'Customers waiting' })
  queue_size: number;

  @IntegerField({ example: 240, description: 'Seconds, for a customer who joins now' })
  estimated_wait_time: number;

  @ObjectField(() => WaitRangeDto, {
    optional: true,
    example: { low: 120, high: 360 },
    description: WAIT_RANGE,
  })
  estimated_wait_range: WaitRangeDto | null;

  @BooleanField({
    example: true,
    description: 'False while no agent is reachable: estimated_wait_time then says nothing',
  })
  has_estimate: boolean;

  @IntegerField({
    example: 2,
    description: 'Agents of the department who are online or busy and have the skills that the link requires',
  })
  online_agents: number;

  @BooleanField({
    description: 'Whether customers can join now; always true for the link of an appointment',
  })
  open: boolean;

  @TimestampField({
    optional: true,
    example: null,
    description: 'Null while it is open, or if it never opens',
  })
  opens_at: string | null;

  @TimestampField({
    optional: true,
    description:
      'The end of the period that is open, or of the next one, joined across midnight. Null if it never closes, or never opens',
  })
  closes_at: string | null;

  @TextField({ example: 'America/Sao_Paulo', description: 'IANA zone of the opening hours' })
  timezone: string;

  @ObjectField(() => LinkAppointmentDto, {
    optional: true,
    example: null,
    description: 'Of the link of an appointment; null for any other link',
  })
  appointment: LinkAppointmentDto | null;

  @TextField({
    optional: true,
    example: null,
    description: 'The customer of the appointment, who need not give the name; null if it is not known',
  })
  customer_name: string | null;

  @TextField({
    optional: true,
    example: 'https://www.example.com/privacy',
    description: "The company's privacy notice; null for none",
  })
  privacy_url: string | null;

  @TextField({
    optional: true,
    example: null,
    description: 'What the company says about the use of personal data, as plain text; null for nothing',
  })
  privacy_text: string | null;

  @TextField({
    optional: true,
    example: null,
    description: 'What the department says while it is closed, as plain text; null for nothing',
  })
  closed_message: string | null;

  @BooleanField({
    example: true,
    description:
      'Whether customers can ask to be called back while they wait, or by a join while it is closed',
  })
  callback_enabled: boolean;
}

export class JoinDto {
  @TextField({
    min: 1,
    optional: true,
    example: 'João Lima',
    description:
      'Required, except by the link of an appointment whose customer is known (`customer_name` of its check): without it, ' +
      'the call has the name of the customer, but neither e-mail nor phone',
  })
  name?: string | null;

  @EmailField({ optional: true, example: 'joao@example.com' })
  email?: string | null;

  @TextField({ max: 40, optional: true, example: '+55 11 91234-5678' })
  phone?: string | null;

  @TextField({ max: 2000, optional: true, example: 'My card was blocked' })
  reason?: string | null;

  @ObjectField(() => RequestCallbackDto, {
    optional: true,
    description:
      'Joins with a callback requested, which is also accepted while the department is closed: the customer is invited ' +
      'from the next opening on',
  })
  @ValidateNested()
  callback?: RequestCallbackDto | null;
}

export class CallStatusDto {
  @UuidField()
  call_id: string;

  @ChoiceField(CALL_STATUSES, { example: 'queued' })
  status: CallStatus;

  @IntegerField({ example: 1, description: 'Position in the queue: 1 is next, 0 once no longer queued' })
  position: number;

  @IntegerField({ example: 180, description: 'Seconds; 0 once no longer queued' })
  estimated_wait_time: number;

  @ObjectField(() => WaitRangeDto, {
    optional: true,
    example: { low: 120, high: 360 },
    description: WAIT_RANGE,
  })
  estimated_wait_range: WaitRangeDto | null;

  @BooleanField({
    example: true,
    description:
      'False while no agent is reachable, and once no longer queued: estimated_wait_time then says nothing',
  })
  has_estimate: boolean;

  @BooleanField({ example: false, description: 'Whether an agent is being called for the waiting customer' })
  ringing: boolean;

  @ObjectField(() => CallbackDto, { optional: true, example: null })
  callback: CallbackDto | null;
}

export class QueueEntryDto extends CallStatusDto {
  @TextField({
    example: WEBSOCKET_TOKEN,
    description: 'Authenticates the customer on the socket, for cancelling and for resuming',
  })
  websocket_token: string;

  @TextField({ example: 'wss://calls.example.com/socket/websocket' })
  websocket_url: string;
}

export class EvaluateDto {
  @IntegerField({ min: 1, max: 5, example: 5 })
  rating: number;

  @TextField({ max: 2000, optional: true, example: 'Quick and friendly' })
  comment?: string | null;
}

export class ResumeDto {
  @TextField({
    max: 2000,
    example: WEBSOCKET_TOKEN,
    description: 'Or the token of a resume link',
  })
  @PastedToken()
  websocket_token: string;
}

@IgnoresUnknownParameters()
export class TurnQuery {
  @TextField({ max: 128, optional: true, description: 'Token of an access link', example: '<LINK_TOKEN>' })
  @PastedToken()
  token?: string | null;
}

export class TurnCredentialsDto {
  @ApiProperty({ type: [String], example: ['turn:calls.example.com:3478?transport=udp'] })
  urls: string[];

  @TextField({ example: '1767225600:3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11' })
  username: string;

  @TextField({ example: '<TURN_CREDENTIAL>' })
  credential: string;

  @IntegerField({ example: 3600, description: 'Seconds' })
  ttl: number;
}

export class IceServerDto {
  urls: string[];
  username: string;
  credential: string;
}
