import type { Call } from '../../calls/call.entity';
import {
  CallAssigned,
  CallEnded,
  type CallEvent,
  CallQueued,
  CallRated,
  CallRequeued,
  CallStarted,
  CallTransferred,
} from '../../calls/call.events';
import { PeerDisconnected, PeerReconnected } from '../../calls/participant.events';
import type { CallStatus } from '../../calls/machine/call.machine';
import { callAtEvent, type CallRecord } from './call-at-event';

const AT = new Date('2026-01-31T12:03:54.000Z');

/** The record after the transaction: completed and rated. */
const record = {
  id: 'call',
  version: 5,
  status: 'completed',
  user_id: 'ana',
  user_name: 'Ana',
  identity_confirmed: null,
  customer_name: 'João',
  wait_time: 42,
  duration: 184,
  end_reason: 'normal',
  assigned_at: 'assigned',
  started_at: 'started',
  completed_at: 'completed',
  ended_at: 'ended',
  rating_comment: 'Good',
  transferred_from: null,
} as CallRecord;
const { rating_comment, transferred_from: _, ...call } = record;

const NOT_ENDED = { duration: null, end_reason: null, completed_at: null, ended_at: null };
const NOT_STARTED = { ...NOT_ENDED, started_at: null };
const WITHOUT_AGENT = { user_id: null, user_name: null, assigned_at: null };
const NOT_ASSIGNED = { ...WITHOUT_AGENT, wait_time: null };

const as = (status: CallStatus, version: number, user_id: string | null = 'ana') =>
  ({ ...call, created_at: AT, started_at: AT, status, version, user_id }) as object as Call;

describe('a call at an event', () => {
  it.each<[string, CallEvent, object]>([
    ['queued', new CallQueued(as('queued', 1, null), AT), { ...NOT_STARTED, ...NOT_ASSIGNED }],
    ['assigned', new CallAssigned(as('assigned', 2), AT, 'bia'), { ...NOT_STARTED, previous_user_id: 'bia' }],
    [
      'queued',
      new CallRequeued({ ...as('queued', 3, null), unanswered_count: 1 }, AT, 'ana'),
      { ...NOT_STARTED, ...NOT_ASSIGNED, previous_user_id: 'ana', unanswered_count: 1 },
    ],
    ['active', new CallStarted(as('active', 3), AT), NOT_ENDED],
    [
      'active',
      new PeerDisconnected(as('active', 4), AT, 'agent', 'soon', 60),
      { ...NOT_ENDED, participant: 'agent', deadline: 'soon', grace_seconds: 60 },
    ],
    [
      'active',
      new PeerReconnected(as('active', 4), AT, 'customer'),
      { ...NOT_ENDED, participant: 'customer' },
    ],
    ['completed', new CallEnded(as('completed', 5), 'completed', AT), {}],
    ['completed', new CallRated(as('completed', 6), AT, 'token'), { rating_comment }],
  ])('has the status %s and no later fields: %#', (status, event, fields) => {
    expect(callAtEvent(event, record)).toEqual({ ...call, status, version: event.version, ...fields });
  });

  it.each<[string, CallEvent, object]>([
    [
      'transferred to a department',
      new CallTransferred(as('queued', 4, null), AT, { department_id: 'old', user_id: 'ana' }),
      {
        ...NOT_ENDED,
        ...WITHOUT_AGENT,
        status: 'queued',
        previous_department_id: 'old',
        previous_user_id: 'ana',
      },
    ],
    ['assigned again', new CallAssigned(as('assigned', 5), AT, null), { ...NOT_ENDED, status: 'assigned' }],
    [
      'not started by the next agent',
      new CallRequeued({ ...as('queued', 6, null), unanswered_count: 1 }, AT, 'ana'),
      { ...NOT_ENDED, ...WITHOUT_AGENT, status: 'queued', previous_user_id: 'ana', unanswered_count: 1 },
    ],
    [
      'taken over by another agent',
      new CallTransferred(as('active', 4, 'bia'), AT, { department_id: 'old', user_id: 'ana' }),
      {
        ...NOT_ENDED,
        status: 'active',
        user_id: 'bia',
        previous_department_id: 'old',
        previous_user_id: 'ana',
      },
    ],
  ])('that is %s keeps the times of its first wait and start', (_name, event, fields) => {
    const transferred_from = { department_id: 'old', user_id: 'ana', at: 'transferred' };
    const data = callAtEvent(event, { ...record, transferred_from });
    expect(data).toMatchObject({ wait_time: 42, started_at: 'started', ...fields });
    expect(data).not.toHaveProperty('transferred_from');
  });

  it('has its fields in the order of the record', () => {
    const fields = Object.keys(callAtEvent(new CallQueued(as('queued', 1, null), AT), record));
    expect(fields).toEqual(Object.keys(call));
  });
});
