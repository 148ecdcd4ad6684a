import { CallEvent } from '../../calls/call.events';
import { CallbackDue } from '../../calls/callbacks/callback.events';
import { AppointmentEvent } from '../../appointments/appointment.events';
import { CustomerDeleted, CustomersMerged } from '../../customers/customer.events';
import type { DomainEvent } from '../../platform/events/domain-event';
import { RecordUpdated } from '../../platform/events/record-updated';
import { SummaryReady, TranscriptReady } from '../../recordings/transcripts/transcript.events';
import { AgentStateChanged } from '../../routing/agents/agent.events';
import { QueueAlert } from '../../routing/alerts/alert.events';
import { OfferEvent } from '../../routing/offers/offer.events';
import { callAtEvent, type CallRecord } from './call-at-event';
import type { CallbackDuePayload } from './call.payloads';
import type { AgentStatePayload, OfferPayload, QueueAlertPayload } from './routing.payloads';

/** The stored record that an event is about: fields in the order of the payload, times as ISO 8601. */
export type StoredRecord = Record<string, unknown>;

/**
 * The `data` of an event's payload.
 * @param record undefined if it was deleted: the data is then its id and the event's own fields
 */
export function payloadData(event: DomainEvent, record: StoredRecord | undefined): object {
  if (event instanceof TranscriptReady) return resultData(event, 'transcript');
  if (event instanceof SummaryReady) return resultData(event, 'summary');
  if (event instanceof QueueAlert) return alertData(event);
  const fields: StoredRecord = record ?? { id: event.subject_id };
  const call = fields as StoredRecord & CallRecord;
  if (event instanceof AgentStateChanged) return agentData(event, fields);
  if (event instanceof OfferEvent) return offerData(event, call);
  if (event instanceof CallbackDue) return callbackData(event, call);
  if (event instanceof CallEvent) return callAtEvent(event, call);
  if (event instanceof AppointmentEvent) return { ...fields, status: event.status };
  if (event instanceof RecordUpdated) return { ...fields, changed: event.changed };
  if (event instanceof CustomersMerged) return { ...fields, duplicate_ids: event.duplicate_ids };
  if (event instanceof CustomerDeleted) return { ...fields, erased: event.erased };
  return fields;
}

function resultData(
  { subject_id, call_id }: TranscriptReady | SummaryReady,
  kind: 'transcript' | 'summary',
): object {
  const url = `/api/v1/calls/${call_id}/${kind}?recording_id=${subject_id}`;
  return { recording_id: subject_id, call_id, url };
}

/** An offer does not change its call, so the record is the call as the transaction left it. */
function offerData({ offer }: OfferEvent, record: CallRecord): OfferPayload {
  const { rating_comment: _comment, transferred_from: _origin, ...call } = record;
  return { ...offer, call };
}

const callbackData = (event: CallbackDue, record: CallRecord): CallbackDuePayload => ({
  call: callAtEvent(event, record),
  resume_url: event.resume_url,
});

/** @param record has the name; the state is that of the event, because the next one may have been announced meanwhile */
function agentData(event: AgentStateChanged, { name }: StoredRecord): AgentStatePayload {
  const { subject_id: user_id, presence, state, previous_state, reason, since, idle_since } = event;
  return {
    user_id,
    name: typeof name === 'string' ? name : '',
    presence,
    state,
    previous_state,
    reason,
    since,
    idle_since,
  };
}

const alertData = ({ kind, department_id, since }: QueueAlert): QueueAlertPayload => ({
  kind,
  department_id,
  since,
});

/** The customer whose personal data the payload contains; null if there is none, or the customer was deleted. */
export function customerIdOf({ subject_type }: DomainEvent, record: StoredRecord | undefined): string | null {
  const id = subject_type === 'customer' ? record?.id : record?.customer_id;
  return (id ?? null) as string | null;
}
