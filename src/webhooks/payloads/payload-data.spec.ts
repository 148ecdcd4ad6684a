import type { Appointment } from '../../appointments/appointment.entity';
import { AppointmentCreated } from '../../appointments/appointment.events';
import type { Call } from '../../calls/call.entity';
import { CallQueued } from '../../calls/call.events';
import {
  CustomerCreated,
  CustomerDeleted,
  CustomersMerged,
  CustomerUpdated,
} from '../../customers/customer.events';
import { DepartmentDeleted } from '../../departments/department.events';
import { UserUpdated } from '../../identity/users/user.events';
import type { DomainEvent } from '../../platform/events/domain-event';
import { AgentStateChanged } from '../../routing/agents/agent.events';
import { QueueAlert } from '../../routing/alerts/alert.events';
import { RecordingReady } from '../../recordings/recording.events';
import { SummaryReady, TranscriptReady } from '../../recordings/transcripts/transcript.events';
import { customerIdOf, payloadData, type StoredRecord } from './payload-data';

const NOW = new Date('2026-01-31T12:00:00.000Z');
const AT = NOW.toISOString();
const of = (id: string) => ['tenant', id, AT] as const;

const appointment = { tenant_id: 'tenant', id: 'a', status: 'scheduled', starts_at: NOW, ends_at: NOW };
const scheduled = new AppointmentCreated(appointment as Appointment, NOW);
const queued = new CallQueued({ tenant_id: 'tenant', id: 'c', status: 'queued', version: 1 } as Call, NOW);

describe('payloadData', () => {
  it.each<[DomainEvent, StoredRecord | undefined, object]>([
    [new CustomerCreated(...of('p')), { id: 'p', name: 'Ana' }, { id: 'p', name: 'Ana' }],
    [
      new CustomerUpdated(...of('p'), ['name']),
      { id: 'p', name: 'Ana' },
      { id: 'p', name: 'Ana', changed: ['name'] },
    ],
    [
      new CustomersMerged(...of('p'), ['q']),
      { id: 'p', name: 'Ana' },
      { id: 'p', name: 'Ana', duplicate_ids: ['q'] },
    ],
    [new CustomerDeleted(...of('p'), true), undefined, { id: 'p', erased: true }],
    [new DepartmentDeleted(...of('d')), undefined, { id: 'd' }],
    [
      new AgentStateChanged('tenant', AT, {
        user_id: 'u',
        presence: 'away',
        previous_presence: 'online',
        state: 'paused',
        previous_state: 'available',
        reason: 'Lunch',
        since: NOW,
        idle_since: null,
        department_ids: [],
      }),
      { id: 'u', name: 'Ana' },
      {
        user_id: 'u',
        name: 'Ana',
        presence: 'away',
        state: 'paused',
        previous_state: 'available',
        reason: 'Lunch',
        since: AT,
        idle_since: null,
      },
    ],
    [
      new QueueAlert('tenant', 'd', 'longest_wait', AT, NOW),
      undefined,
      { kind: 'longest_wait', department_id: 'd', since: AT },
    ],
    [
      new UserUpdated(...of('u'), ['role']),
      { id: 'u', role: 'owner' },
      { id: 'u', role: 'owner', changed: ['role'] },
    ],
    [scheduled, { id: 'a', status: 'confirmed', notes: null }, { id: 'a', status: 'scheduled', notes: null }],
    [
      new TranscriptReady(...of('r'), 'c'),
      undefined,
      { recording_id: 'r', call_id: 'c', url: '/api/v1/calls/c/transcript?recording_id=r' },
    ],
    [
      new SummaryReady(...of('r'), 'c'),
      { id: 'r', size: 7 },
      { recording_id: 'r', call_id: 'c', url: '/api/v1/calls/c/summary?recording_id=r' },
    ],
  ])('%#: event %j, record %j', (event, record, data) => {
    expect(payloadData(event, record)).toEqual(data);
  });
});

describe('customerIdOf', () => {
  it.each<[DomainEvent, StoredRecord | undefined, string | null]>([
    [new CustomerCreated(...of('p')), { id: 'p' }, 'p'],
    [new CustomerDeleted(...of('p'), false), undefined, null],
    [queued, { id: 'c', customer_id: 'p' }, 'p'],
    [queued, { id: 'c', customer_id: null }, null],
    [scheduled, { id: 'a', customer_id: 'p' }, 'p'],
    [new RecordingReady(...of('r'), 'c'), { id: 'r', call_id: 'c' }, null],
    [new UserUpdated(...of('u'), []), { id: 'u' }, null],
  ])('%#: event %j, record %j', (event, record, customerId) => {
    expect(customerIdOf(event, record)).toBe(customerId);
  });
});
