import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { EventBus } from '../../platform/events/event-bus';
import { forbidden, unprocessable } from '../../platform/http/errors/api-error';
import type { Call } from '../call.entity';
import { CallTransitions } from '../machine/call-transitions';
import { type CallChanges, CallWriter } from '../machine/call-writer';
import { RecordingStateChanged, recordingStateOf } from './recording-state.events';
import { decideRecording, type RecordingMove, type RecordingState } from './recording-state.rules';

/** The participant who sends a change. */
interface Sender {
  tenant_id: string;
  /** The agent; null for the customer. */
  user_id: string | null;
}

/**
 * Whether the agent's browser records a call, and whether the customer agreed. The call keeps both, so that they survive
 * reloads, and its timeline has each change as evidence.
 */
@Injectable()
export class RecordingStates {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly writer: CallWriter,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Repeating a change has no effect.
   * @returns the state afterwards
   * @throws 404; 403 not_your_call, or for something that is up to the other side; 422 invalid_state unless the call is
   *   assigned or active, consent_required, not_requested
   */
  change({ tenant_id, user_id }: Sender, callId: string, move: RecordingMove): Promise<RecordingState> {
    return this.database.tenant(tenant_id, async (tx) => {
      const call = await this.transitions.lock(tx, tenant_id, callId);
      if (call.status !== 'assigned' && call.status !== 'active') {
        throw unprocessable('invalid_state', 'The call is not assigned or active.');
      }
      if (user_id !== null && call.user_id !== user_id) {
        throw forbidden('The call belongs to another agent.', 'not_your_call');
      }
      const from = user_id === null ? 'customer' : 'agent';
      const decision = decideRecording(recordingStateOf(call), from, move);
      if (decision.kind === 'refuse') {
        const { code, detail } = decision;
        throw code === 'forbidden' ? forbidden(detail) : unprocessable(code, detail);
      }
      const now = this.clock.now();
      const changes = changesOf(call, decision.state, from === 'customer' ? now : call.recording_consent_at);
      if (!changes) return decision.state;
      const changed = this.writer.saveVisible(tx, call, changes, now);
      await this.events.record(tx, new RecordingStateChanged(changed, now, from));
      return decision.state;
    });
  }
}

/** @returns undefined if the state stays: then the time of the answer stays, too */
function changesOf(
  call: Call,
  { recording, consent }: RecordingState,
  answeredAt: Date | null,
): CallChanges | undefined {
  const current = recordingStateOf(call);
  if (current.recording === recording && current.consent === consent) return undefined;
  // A question that is asked again has no answer yet.
  return {
    recording,
    recording_consent: consent,
    recording_consent_at: consent === null ? null : answeredAt,
  };
}
