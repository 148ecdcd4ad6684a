import type {
  CallAssigned,
  CallEnded,
  CallQueued,
  CallRated,
  CallRequeued,
  CallStarted,
  CallTransferred,
  CallUpdated,
} from '../../calls/call.events';
import type { PeerDisconnected, PeerReconnected } from '../../calls/participant.events';
import type { CallbackChanged } from '../../calls/callbacks/callback.events';
import type { CallbackStatus } from '../../calls/callbacks/callback.machine';
import type { RecordingStateChanged } from '../../calls/media/recording-state.events';
import type { FinalStatus } from '../../calls/machine/call.machine';
import type { DomainEvent } from '../../platform/events/domain-event';
import type { OfferEnded, OfferMade } from '../offers/offer.events';
import type { FinalOfferStatus } from '../offers/offer.machine';

type TimelineEvent =
  | CallQueued
  | CallAssigned
  | CallRequeued
  | CallStarted
  | CallEnded
  | CallRated
  | PeerDisconnected
  | PeerReconnected
  | OfferMade
  | OfferEnded
  | CallTransferred
  | CallUpdated
  | CallbackChanged
  | RecordingStateChanged;

/** The types of entries, which clients must expect to grow. */
export type TimelineEntryType =
  | 'joined'
  | 'offered'
  | FinalOfferStatus
  | 'assigned'
  | 'requeued'
  | 'overflowed'
  | 'started'
  | 'peer_disconnected'
  | 'peer_reconnected'
  | 'transferred'
  | `callback_${CallbackStatus}`
  | 'recording_state'
  | FinalStatus
  | 'rated';

/** What happened to a call. */
export interface TimelineEntry {
  call_id: string;
  /** ISO 8601. */
  at: string;
  type: TimelineEntryType;
  /** The agent whom the entry is about. */
  user_id: string | null;
  details: Record<string, unknown>;
}

type EntryContent = Pick<TimelineEntry, 'type' | 'user_id' | 'details'>;

/**
 * The entry of an event in its call's timeline. TimelineWriter stores it in the event's transaction.
 * @returns undefined for an event that the timeline does not show
 */
export function timelineEntryOf(event: DomainEvent): TimelineEntry | undefined {
  const content = contentOf(event as DomainEvent & TimelineEvent);
  return content && { call_id: event.subject_id, at: event.occurred_at, ...content };
}

function contentOf(event: TimelineEvent): EntryContent | undefined {
  switch (event.type) {
    case 'call.queued':
      return content('joined', null, { department_id: event.department_id });
    case 'call.offered':
      return content('offered', event.user_id, {
        ...pick(event, 'offer_id', 'kind', 'candidates'),
        ...(event.kind === 'line' ? {} : pick(event, 'offered_by', 'note')),
      });
    case 'call.offer_ended':
      return content(event.status, event.user_id, pick(event, 'offer_id', 'reason'));
    case 'call.assigned':
      return content('assigned', event.user_id, pick(event, 'previous_user_id'));
    case 'call.requeued':
      return content('requeued', event.previous_user_id, pick(event, 'unanswered_count'));
    case 'call.updated':
      return event.changed.includes('overflowed_at')
        ? content('overflowed', null, { to_department_id: event.overflow_department_id })
        : undefined;
    case 'call.started':
      return content('started', event.user_id);
    case 'call.peer_disconnected':
      return content('peer_disconnected', event.user_id, pick(event, 'participant', 'deadline'));
    case 'call.peer_reconnected':
      return content('peer_reconnected', event.user_id, pick(event, 'participant'));
    case 'call.transferred':
      return content('transferred', event.previous_user_id, {
        to_department_id: event.user_id === null ? event.department_id : null,
        to_user_id: event.user_id,
        ...('note' in event ? { note: event.note } : {}),
      });
    case 'call.callback_requested':
    case 'call.callback_invited':
    case 'call.callback_returned':
    case 'call.callback_expired':
    case 'call.callback_cancelled':
      return content(`callback_${event.callback_status}`, null, pick(event, 'attempts', 'invited_until'));
    case 'call.recording_state_changed':
      return content('recording_state', event.user_id, {
        participant: event.from,
        ...pick(event, 'recording', 'consent'),
      });
    case 'call.completed':
      return content('completed', event.user_id, pick(event, 'end_reason'));
    case 'call.missed':
      return content('missed', event.user_id, pick(event, 'end_reason'));
    case 'call.cancelled':
      return content('cancelled', event.user_id, pick(event, 'end_reason'));
    case 'call.abandoned':
      return content('abandoned', event.user_id, pick(event, 'end_reason'));
    case 'call.rated':
      return content('rated', null, pick(event, 'rating', 'rated_by'));
    default:
      return undefined;
  }
}

const content = (
  type: TimelineEntryType,
  user_id: string | null,
  details: Record<string, unknown> = {},
): EntryContent => ({ type, user_id, details });

const pick = <Event extends object>(event: Event, ...fields: (keyof Event)[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, event[field]]));
