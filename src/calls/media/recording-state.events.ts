import type { Call } from '../call.entity';
import { CallEvent, type Participant } from '../call.events';
import type { RecordingState, RecordingStatus } from './recording-state.rules';

/** The recording of a call was requested, switched on or off, or the customer agreed to it or refused it. */
export class RecordingStateChanged extends CallEvent {
  readonly type = 'call.recording_state_changed';
  readonly recording: RecordingStatus;
  readonly consent: boolean | null;

  constructor(
    call: Call,
    at: Date,
    readonly from: Participant,
    /** Whether it follows from a transition of the call, whose event has the same version. */
    readonly is_consequence = false,
  ) {
    super(call, at);
    const { recording, consent } = recordingStateOf(call);
    this.recording = recording;
    this.consent = consent;
  }

  /** The timeline of the call has it, also if the customer caused it. */
  override get audited() {
    return 'never' as const;
  }
}

export const recordingStateOf = ({
  recording,
  recording_consent,
}: Pick<Call, 'recording' | 'recording_consent'>): RecordingState => ({
  recording: recording ?? 'off',
  consent: recording_consent,
});
