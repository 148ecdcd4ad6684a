import type { Call } from '../../calls/call.entity';
import {
  CallAssigned,
  CallEnded,
  CallQueued,
  CallRated,
  CallRequeued,
  CallStarted,
  CallTransferred,
  CallUpdated,
} from '../../calls/call.events';
import {
  AgentJoined,
  CustomerPresenceChanged,
  PeerDisconnected,
  PeerReconnected,
} from '../../calls/participant.events';
import { RecordingStateChanged } from '../../calls/media/recording-state.events';
import { FINAL_STATUSES } from '../../calls/machine/call.machine';
import { DomainEvent } from '../../platform/events/domain-event';
import type { OfferRow } from '../offers/offer.dto';
import { OfferEnded, OfferMade } from '../offers/offer.events';
import { timelineEntryOf } from './timeline-entries.rules';

const AT = new Date('2026-01-31T12:00:00.000Z');
const call = {
  tenant_id: 'tenant',
  id: 'call',
  version: 3,
  status: 'assigned',
  department_id: 'support',
  user_id: 'ana',
  user_name: 'Ana',
  end_reason: null,
  rating: 4,
  rating_comment: 'Good',
  unanswered_count: 1,
} as Call;
const queued = { ...call, status: 'queued', user_id: null } as Call;
const ended = { ...call, status: 'missed', end_reason: 'timeout' } as Call;

const offer: OfferRow = {
  id: 'offer',
  tenant_id: 'tenant',
  call_id: 'call',
  department_id: 'support',
  user_id: 'ana',
  kind: 'line',
  offered_by: null,
  note: null,
  appointment: null,
  known_customer: false,
  status: 'pending',
  reason: null,
  offered_at: AT,
  expires_at: AT,
  ended_at: null,
  available_since: null,
  customer_deadline: null,
};
const candidates = [{ user_id: 'ana', idle_since: null, skills: [{ skill_id: 'loans', level: 3 }] }];
const declined: OfferRow = { ...offer, status: 'declined', reason: 'Lunch', ended_at: AT };
const origin = { department_id: 'support', user_id: 'ana' };

describe('the timeline entry of an event', () => {
  it.each<[DomainEvent, type: string, user_id: string | null, details: object]>([
    [new CallQueued(queued, AT), 'joined', null, { department_id: 'support' }],
    [
      new OfferMade(offer, AT, candidates, null),
      'offered',
      'ana',
      { offer_id: 'offer', kind: 'line', candidates },
    ],
    [
      new OfferMade({ ...offer, kind: 'transfer', offered_by: 'bob', note: 'Speaks French' }, AT, [], null),
      'offered',
      'ana',
      { offer_id: 'offer', kind: 'transfer', candidates: [], offered_by: 'bob', note: 'Speaks French' },
    ],
    [new OfferEnded(declined, AT), 'declined', 'ana', { offer_id: 'offer', reason: 'Lunch' }],
    [new CallAssigned(call, AT, 'bob'), 'assigned', 'ana', { previous_user_id: 'bob' }],
    [new CallRequeued(queued, AT, 'ana'), 'requeued', 'ana', { unanswered_count: 1 }],
    [
      new CallUpdated({ ...queued, overflow_department_id: 'sales' }, AT, ['overflowed_at']),
      'overflowed',
      null,
      { to_department_id: 'sales' },
    ],
    [new CallStarted(call, AT), 'started', 'ana', {}],
    [
      new PeerDisconnected(call, AT, 'customer', 'soon', 60),
      'peer_disconnected',
      'ana',
      { participant: 'customer', deadline: 'soon' },
    ],
    [new PeerReconnected(call, AT, 'agent'), 'peer_reconnected', 'ana', { participant: 'agent' }],
    [
      new CallTransferred({ ...queued, department_id: 'sales' }, AT, origin),
      'transferred',
      'ana',
      { to_department_id: 'sales', to_user_id: null, note: null },
    ],
    [
      new CallTransferred({ ...call, user_id: 'bob' }, AT, origin),
      'transferred',
      'ana',
      { to_department_id: null, to_user_id: 'bob', note: null },
    ],
    ...FINAL_STATUSES.map((status): [DomainEvent, string, string, object] => [
      new CallEnded(ended, status, AT),
      status,
      'ana',
      { end_reason: 'timeout' },
    ]),
    [
      new RecordingStateChanged({ ...call, recording: 'requested', recording_consent: true }, AT, 'customer'),
      'recording_state',
      'ana',
      { participant: 'customer', recording: 'requested', consent: true },
    ],
    [new CallRated(call, AT, 'token'), 'rated', null, { rating: 4, rated_by: 'token' }],
  ])('%#: %j', (event, type, user_id, details) => {
    expect(timelineEntryOf(event)).toEqual({ call_id: 'call', at: AT.toISOString(), type, user_id, details });
  });

  it.each([
    new CallUpdated(call, AT, ['tags']),
    new AgentJoined(call, AT),
    new CustomerPresenceChanged(queued, AT),
  ])('is missing for $type, which the timeline does not show', (event) => {
    expect(timelineEntryOf(event)).toBeUndefined();
  });
});
