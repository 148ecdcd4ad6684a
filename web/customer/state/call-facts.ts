import type { AgentOfCall, QueuePlace } from '../../shared/socket-models';
import type { SaidWait } from '../../shared/texts/wait/wait-text';
import type { LinkValidation, QueueEntry, Snapshot } from './server.types';
import type { CallFacts, State } from './state.types';

/** The call that a state shows. */
export const callOf = (state: State): CallFacts | null => ('call' in state ? state.call : null);

/** The state with other facts of the call that it shows. */
export const withCall = (state: State, change: (call: CallFacts) => CallFacts): State =>
  'call' in state ? { ...state, call: change(state.call) } : state;

/** A moment of the service in the time of this device. @param at when the service sent it @param now when it arrived */
export const deviceTime = (moment: string, at: string, now: number): number =>
  now + Date.parse(moment) - Date.parse(at);

/** What the service says of the wait; null while no agent is reachable, because nothing can be said then. */
export const saidWait = ({
  has_estimate,
  estimated_wait_time: estimate,
  estimated_wait_range: range,
}: Omit<QueuePlace, 'position' | 'ringing'>): SaidWait | null =>
  has_estimate === false ? null : { estimate, range };

/** Who has the call. */
export const agentFacts = (
  agent: AgentOfCall | null | undefined,
): Pick<CallFacts, 'agent' | 'agentPhoto'> => ({
  agent: agent?.name ?? null,
  agentPhoto: agent?.avatar_url ?? null,
});

/** What an answer of the HTTP API tells of the call; what it leaves out is kept. */
export function factsOfEntry(
  before: CallFacts | null,
  entry: QueueEntry,
  link: LinkValidation | null,
): CallFacts {
  const known = before?.id === entry.call_id ? before : null;
  return {
    id: entry.call_id,
    version: known?.version ?? 0,
    position: entry.position,
    wait: saidWait(entry),
    ringing: entry.ringing,
    callback: entry.callback,
    email: known?.email,
    callbackEnabled: known?.callbackEnabled ?? link?.callback_enabled ?? false,
    department: known?.department ?? link?.department_name ?? null,
    agent: known?.agent ?? null,
    agentPhoto: known?.agentPhoto ?? null,
    startedAt: known?.startedAt ?? null,
    closesAt: known?.closesAt ?? null,
    recording: known?.recording ?? null,
  };
}

/** A snapshot replaces all that it names. @param now of this device, in milliseconds */
export function factsOfSnapshot(before: CallFacts | null, snapshot: Snapshot, now: number): CallFacts {
  const known = before?.id === snapshot.call_id ? before : null;
  return {
    id: snapshot.call_id,
    version: snapshot.version,
    position: snapshot.position,
    wait: saidWait(snapshot),
    ringing: snapshot.ringing ?? false,
    callback: snapshot.callback,
    callbackEnabled: snapshot.callback_enabled,
    email: snapshot.callback_email,
    department: snapshot.department_name,
    ...agentFacts(snapshot.agent),
    startedAt: snapshot.started_at === null ? null : deviceTime(snapshot.started_at, snapshot.at, now),
    closesAt: known?.closesAt ?? null,
    recording: snapshot.recording_state ?? null,
  };
}
