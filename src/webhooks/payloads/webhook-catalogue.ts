import type { Type } from '@nestjs/common';
import type { CallStatus } from '../../calls/machine/call.machine';
import { CustomerDto } from '../../customers/customer.dto';
import { DepartmentDto } from '../../departments/department.dto';
import { unsetFields } from './call-at-event';
import {
  CallAssignedPayload,
  CallbackDuePayload,
  CallPayload,
  CallRatedPayload,
  CallRequeuedPayload,
  CallTransferredPayload,
  PeerDisconnectedPayload,
  PeerReconnectedPayload,
} from './call.payloads';
import {
  AccessLinkPayload,
  AppointmentPayload,
  CustomerDeletedPayload,
  CustomerMergedPayload,
  CustomerUpdatedPayload,
  DepartmentDeletedPayload,
  DepartmentUpdatedPayload,
  UserPayload,
  UserUpdatedPayload,
  WebhookTestPayload,
} from './record.payloads';
import { RecordingPayload, SummaryPayload, TranscriptPayload } from './recording.payloads';
import { AgentStatePayload, OfferPayload, QueueAlertPayload } from './routing.payloads';
import type { PayloadType } from './webhook-event-types';

interface CatalogueEntry {
  summary: string;
  /** The class of `data`. */
  data: Type;
  /** Fields of the example that differ from the examples of the class; objects in it are merged with theirs. */
  example?: Record<string, unknown>;
  /** The timestamp of the example, if the default does not fit its fields. */
  timestamp?: string;
}

const JOINED_AT = '2026-01-31T12:00:00.000Z';
const LEFT_AT = '2026-01-31T12:00:42.000Z';

const OFFER_TIMES = { offered_at: LEFT_AT, expires_at: '2026-01-31T12:01:02.000Z' };

/** The example of a call that is not completed normally. */
const exampleCall = (status: CallStatus, version: number, fields: object = {}) => ({
  version,
  status,
  ...unsetFields(status),
  ...fields,
});

const NEVER_STARTED = { duration: null, started_at: null, completed_at: null };
const NEVER_ASSIGNED = {
  ...NEVER_STARTED,
  user_id: null,
  user_name: null,
  assigned_at: null,
  ended_at: LEFT_AT,
};

/** Documents each payload: its summary, its class and its example. */
export const WEBHOOK_CATALOGUE: Record<PayloadType, CatalogueEntry> = {
  'call.queued': {
    summary: 'A customer joined a queue',
    data: CallPayload,
    example: exampleCall('queued', 1),
    timestamp: JOINED_AT,
  },
  'call.offered': {
    summary:
      'A waiting call was offered to an agent, or the agent of an active call offered it to a colleague',
    data: OfferPayload,
    example: { ...OFFER_TIMES, call: exampleCall('queued', 1) },
    timestamp: LEFT_AT,
  },
  'call.offer_ended': {
    summary: 'An offer was accepted, declined or withdrawn, or expired; `status` says which',
    data: OfferPayload,
    example: {
      ...OFFER_TIMES,
      status: 'expired',
      ended_at: OFFER_TIMES.expires_at,
      call: exampleCall('queued', 1),
    },
    timestamp: OFFER_TIMES.expires_at,
  },
  'call.assigned': {
    summary: 'A call was assigned to an agent, from the queue or from another agent',
    data: CallAssignedPayload,
    example: exampleCall('assigned', 2),
    timestamp: LEFT_AT,
  },
  'call.requeued': {
    summary:
      'An assigned call returned to its place in the queue: its agent did not start it, or was deactivated',
    data: CallRequeuedPayload,
    example: exampleCall('queued', 3),
    timestamp: '2026-01-31T12:01:42.000Z',
  },
  'call.transferred': {
    summary:
      'An active call was transferred: it waits in another department, or another agent took it over and it stays active',
    data: CallTransferredPayload,
    example: {
      version: 4,
      status: 'queued',
      ...unsetFields('queued', true),
      previous_department_id: '0b9a3d38-0a0d-4f83-8e0c-6a1f2d3b4c5d',
    },
    timestamp: '2026-01-31T12:02:00.000Z',
  },
  'call.started': {
    summary: 'The agent started a call',
    data: CallPayload,
    example: exampleCall('active', 3),
    timestamp: '2026-01-31T12:00:50.000Z',
  },
  'call.completed': {
    summary: 'A call ended; `end_reason` says why',
    data: CallPayload,
    timestamp: '2026-01-31T12:03:54.000Z',
  },
  'call.missed': {
    summary: 'The last agent that the department allows a call (max_unanswered) did not start it in time',
    data: CallPayload,
    example: exampleCall('missed', 3, {
      ...NEVER_STARTED,
      end_reason: 'timeout',
      ended_at: '2026-01-31T12:01:42.000Z',
    }),
    timestamp: '2026-01-31T12:01:42.000Z',
  },
  'call.cancelled': {
    summary: 'The customer cancelled a call before it started, or its department was deleted',
    data: CallPayload,
    example: exampleCall('cancelled', 2, { ...NEVER_ASSIGNED, end_reason: 'abandoned' }),
    timestamp: LEFT_AT,
  },
  'call.abandoned': {
    summary: 'A waiting call ended: the maximum wait was exceeded, or the customer left',
    data: CallPayload,
    example: exampleCall('abandoned', 2, { ...NEVER_ASSIGNED, end_reason: 'abandoned' }),
    timestamp: LEFT_AT,
  },
  'call.rated': {
    summary: 'The customer rated a call',
    data: CallRatedPayload,
    example: { version: 5, rating: 5 },
    timestamp: '2026-01-31T12:04:30.000Z',
  },
  'call.peer_disconnected': {
    summary: 'A participant of an active call lost the connection and has some time to reconnect',
    data: PeerDisconnectedPayload,
    example: exampleCall('active', 4),
    timestamp: '2026-01-31T12:01:50.000Z',
  },
  'call.peer_reconnected': {
    summary: 'The participant reconnected in time',
    data: PeerReconnectedPayload,
    example: exampleCall('active', 5),
    timestamp: '2026-01-31T12:02:05.000Z',
  },
  'callback.due': {
    summary: 'It is nearly the turn of a customer whom the company calls back: send them `resume_url`',
    data: CallbackDuePayload,
    example: {
      call: exampleCall('queued', 3, {
        callback: { status: 'invited', invited_until: '2026-01-31T12:10:42.000Z' },
      }),
    },
    timestamp: LEFT_AT,
  },
  'agent.state_changed': {
    summary: 'The state of an agent, its reason or the presence that colleagues see changed',
    data: AgentStatePayload,
  },
  'queue.alert': {
    summary: 'Calls wait too long in a department, or no agent of it can be reached; once for each episode',
    data: QueueAlertPayload,
  },
  'recording.ready': {
    summary: 'A recording is stored completely and can be played',
    data: RecordingPayload,
  },
  'transcript.ready': { summary: 'The transcript of a recording can be read', data: TranscriptPayload },
  'summary.ready': { summary: 'The summary of a recording can be read', data: SummaryPayload },
  'customer.created': { summary: 'A customer was created', data: CustomerDto },
  'customer.updated': { summary: 'Fields of a customer changed', data: CustomerUpdatedPayload },
  'customer.merged': {
    summary: 'Duplicates of a customer were merged into one record',
    data: CustomerMergedPayload,
  },
  'customer.deleted': { summary: 'A customer was deleted', data: CustomerDeletedPayload },
  'access_link.created': { summary: 'An access link was created', data: AccessLinkPayload },
  'access_link.cancelled': {
    summary: 'An access link was cancelled',
    data: AccessLinkPayload,
    example: { status: 'cancelled' },
  },
  'appointment.created': { summary: 'An appointment was created', data: AppointmentPayload },
  'appointment.confirmed': {
    summary: 'An appointment was confirmed',
    data: AppointmentPayload,
    example: { status: 'confirmed' },
  },
  'appointment.cancelled': {
    summary: 'An appointment was cancelled',
    data: AppointmentPayload,
    example: { status: 'cancelled' },
  },
  'appointment.completed': {
    summary: 'An appointment was completed',
    data: AppointmentPayload,
    example: { status: 'completed' },
  },
  'appointment.no_show': {
    summary: 'The customer did not attend an appointment',
    data: AppointmentPayload,
    example: { status: 'no_show' },
  },
  'department.created': { summary: 'A department was created', data: DepartmentDto },
  'department.updated': { summary: 'Fields of a department changed', data: DepartmentUpdatedPayload },
  'department.deleted': {
    summary: 'A department was deleted, and with it its access links, which have no event of their own',
    data: DepartmentDeletedPayload,
  },
  'user.created': { summary: 'A user was created', data: UserPayload },
  'user.updated': { summary: 'Fields of a user changed', data: UserUpdatedPayload },
  'webhook.test': {
    summary: 'A test of the webhook; only POST …/test sends it, regardless of the subscribed events',
    data: WebhookTestPayload,
  },
};
