export const RECORDING_STATES = ['requested', 'on', 'off'] as const;

export type RecordingStatus = (typeof RECORDING_STATES)[number];

/** Whether the agent's browser records the call, and whether the customer agreed; consent is null without an answer. */
export interface RecordingState {
  recording: RecordingStatus;
  consent: boolean | null;
}

/** The side that sends a change; the type of events would import the call, which has this state. */
type Sender = 'customer' | 'agent';

/** What a participant sends: the agent the state of the recording, the customer their answer. */
export interface RecordingMove {
  recording: RecordingStatus;
  consent: boolean | null;
}

export type RecordingDecision =
  | { kind: 'state'; state: RecordingState }
  | { kind: 'refuse'; code: 'consent_required' | 'not_requested' | 'forbidden'; detail: string };

/** Decides what a participant's message does to the state. Changes nothing. */
export function decideRecording(
  current: RecordingState,
  from: Sender,
  move: RecordingMove,
): RecordingDecision {
  return from === 'agent' ? decideForAgent(current, move) : decideForCustomer(current, move);
}

/** The consent belongs to the call: another agent may record, too. After a refusal the agent has to ask again. */
function decideForAgent({ recording, consent }: RecordingState, move: RecordingMove): RecordingDecision {
  if (move.consent !== null) return refusal('forbidden', 'Only the customer can agree to the recording.');
  if (move.recording === 'off') return stateOf('off', consent);
  if (move.recording === 'on') {
    return consent
      ? stateOf('on', true)
      : refusal('consent_required', 'The customer has not agreed to the recording.');
  }
  // A recording in progress goes on; a refusal is asked about again.
  return stateOf(recording === 'on' ? 'on' : 'requested', consent || null);
}

/** A customer can refuse at any time, which ends the recording, but can agree only to a request. */
function decideForCustomer({ recording }: RecordingState, move: RecordingMove): RecordingDecision {
  if (move.recording === 'on') return refusal('forbidden', 'Only the agent can switch the recording on.');
  if (move.consent === null || (move.recording === 'off' && move.consent)) {
    return refusal('forbidden', 'The customer answers with consent: true or false.');
  }
  if (!move.consent) return stateOf('off', false);
  return recording === 'off'
    ? refusal('not_requested', 'The agent has not asked to record the call.')
    : stateOf(recording, true);
}

/**
 * The state after a transition of the call: the browser of an agent who leaves the call, or whose call ends, stops recording,
 * and the agent's question is void. The consent stays.
 */
export const recordingAfter = (
  recording: RecordingStatus | null,
  { isFinal, hasOtherAgent }: { isFinal: boolean; hasOtherAgent: boolean },
): RecordingStatus | null => (recording && (isFinal || hasOtherAgent) ? 'off' : recording);

const stateOf = (recording: RecordingStatus, consent: boolean | null): RecordingDecision => ({
  kind: 'state',
  state: { recording, consent },
});

const refusal = (
  code: 'consent_required' | 'not_requested' | 'forbidden',
  detail: string,
): RecordingDecision => ({ kind: 'refuse', code, detail });
