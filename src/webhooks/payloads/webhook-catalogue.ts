import type { Type } from '@nestjs/common';
import type { CallStatus } from '../../calls/machine/call.machine';
import { CustomerDto } from '../../customers/customer.dto';
import { DepartmentDto } from '../../departments/department.dto';
import { notYet } from './call-at-event';
import {
  CallAssignedPayload,
  CallPayload,
  CallRatedPayload,
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
import type { PayloadType } from './webhook-event-types';

interface CatalogueEntry {
  /** What happened. */
  summary: string;
  /** The class of `data`. */
  data: Type;
  /** What in the example is other than the examples of the class's fields say. */
  example?: object;
  /** The example's timestamp, where the class's fields have an own. */
  timestamp?: string;
}

const JOINED = '2026-01-31T12:00:00.000Z';
const LEFT = '2026-01-31T12:00:42.000Z';

/** The example of a call that is not, or not so, completed. */
const callAs = (status: CallStatus, version: number, fields: object = {}) => ({
  version,
  status,
  ...notYet(status),
  ...fields,
});

const WITHOUT_CONVERSATION = { duration: null, started_at: null, completed_at: null };
const WITHOUT_AGENT = {
  ...WITHOUT_CONVERSATION,
  user_id: null,
  user_name: null,
  assigned_at: null,
  ended_at: LEFT,
};

/** Every payload there is. */
export const WEBHOOK_CATALOGUE: Record<PayloadType, CatalogueEntry> = {
  'call.queued': {
    summary: 'A customer joined a queue',
    data: CallPayload,
    example: callAs('queued', 1),
    timestamp: JOINED,
  },
  'call.assigned': {
    summary: 'An agent has a call, be it from the queue or from another agent',
    data: CallAssignedPayload,
    example: callAs('assigned', 2),
    timestamp: LEFT,
  },
  'call.started': {
    summary: 'A call is under way',
    data: CallPayload,
    example: callAs('active', 3),
    timestamp: '2026-01-31T12:00:50.000Z',
  },
  'call.completed': {
    summary: 'A call is over; `end_reason` tells how it ended',
    data: CallPayload,
    timestamp: '2026-01-31T12:03:54.000Z',
  },
  'call.missed': {
    summary: 'The agent did not start the call in time',
    data: CallPayload,
    example: callAs('missed', 3, {
      ...WITHOUT_CONVERSATION,
      end_reason: 'timeout',
      ended_at: '2026-01-31T12:01:42.000Z',
    }),
    timestamp: '2026-01-31T12:01:42.000Z',
  },
  'call.cancelled': {
    summary: 'The customer took back a call that had not begun, or its department was deleted',
    data: CallPayload,
    example: callAs('cancelled', 2, { ...WITHOUT_AGENT, end_reason: 'abandoned' }),
    timestamp: LEFT,
  },
  'call.abandoned': {
    summary: 'Waiting came to nothing: it took too long, or the customer was gone',
    data: CallPayload,
    example: callAs('abandoned', 2, { ...WITHOUT_AGENT, end_reason: 'abandoned' }),
    timestamp: LEFT,
  },
  'call.rated': {
    summary: 'The customer rated a call',
    data: CallRatedPayload,
    example: { version: 5, rating: 5 },
    timestamp: '2026-01-31T12:04:30.000Z',
  },
  'call.peer_disconnected': {
    summary: 'Somebody dropped out of an active call and has some time to come back',
    data: PeerDisconnectedPayload,
    example: callAs('active', 4),
    timestamp: '2026-01-31T12:01:50.000Z',
  },
  'call.peer_reconnected': {
    summary: 'They came back in time',
    data: PeerReconnectedPayload,
    example: callAs('active', 5),
    timestamp: '2026-01-31T12:02:05.000Z',
  },
  'recording.ready': { summary: 'A recording is stored whole and can be played', data: RecordingPayload },
  'transcript.ready': { summary: 'The transcript of a recording can be read', data: TranscriptPayload },
  'summary.ready': { summary: 'The summary of a recording can be read', data: SummaryPayload },
  'customer.created': { summary: 'There is a new customer', data: CustomerDto },
  'customer.updated': { summary: 'Fields of a customer have changed', data: CustomerUpdatedPayload },
  'customer.merged': {
    summary: 'Customers who are the same person were made one',
    data: CustomerMergedPayload,
  },
  'customer.deleted': { summary: 'A customer is gone', data: CustomerDeletedPayload },
  'access_link.created': { summary: 'There is a new link into a queue', data: AccessLinkPayload },
  'access_link.cancelled': {
    summary: 'A link lets nobody in any more',
    data: AccessLinkPayload,
    example: { status: 'cancelled' },
  },
  'appointment.created': { summary: 'There is a new appointment', data: AppointmentPayload },
  'appointment.confirmed': {
    summary: 'An appointment will take place',
    data: AppointmentPayload,
    example: { status: 'confirmed' },
  },
  'appointment.cancelled': {
    summary: 'An appointment will not take place',
    data: AppointmentPayload,
    example: { status: 'cancelled' },
  },
  'appointment.completed': {
    summary: 'An appointment has taken place',
    data: AppointmentPayload,
    example: { status: 'completed' },
  },
  'appointment.no_show': {
    summary: 'The customer did not come to an appointment',
    data: AppointmentPayload,
    example: { status: 'no_show' },
  },
  'department.created': { summary: 'There is a new department', data: DepartmentDto },
  'department.updated': { summary: 'Fields of a department have changed', data: DepartmentUpdatedPayload },
  'department.deleted': { summary: 'A department is gone', data: DepartmentDeletedPayload },
  'user.created': { summary: 'There is a new user', data: UserPayload },
  'user.updated': { summary: 'Fields of a user have changed', data: UserUpdatedPayload },
  'webhook.test': {
    summary: 'Somebody tries the webhook out; sent by POST …/test alone, whatever it subscribes to',
    data: WebhookTestPayload,
  },
};
