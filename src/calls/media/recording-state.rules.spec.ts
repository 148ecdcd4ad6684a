import type { Participant } from '../call.events';
import {
  decideRecording,
  recordingAfter,
  type RecordingState,
  type RecordingStatus,
} from './recording-state.rules';

const state = (recording: RecordingStatus, consent: boolean | null): RecordingState => ({
  recording,
  consent,
});
const UNASKED = state('off', null);

describe('decideRecording', () => {
  it.each<[RecordingState, Participant, RecordingState, RecordingState]>([
    [UNASKED, 'agent', state('requested', null), state('requested', null)],
    [state('off', false), 'agent', state('requested', null), state('requested', null)],
    [state('off', true), 'agent', state('requested', null), state('requested', true)],
    [state('on', true), 'agent', state('requested', null), state('on', true)],
    [state('requested', true), 'agent', state('on', null), state('on', true)],
    [state('off', true), 'agent', state('on', null), state('on', true)],
    [state('on', true), 'agent', state('on', null), state('on', true)],
    [state('on', true), 'agent', state('off', null), state('off', true)],
    [state('requested', null), 'agent', state('off', null), state('off', null)],
    [UNASKED, 'agent', state('off', null), UNASKED],
    [state('requested', null), 'customer', state('requested', true), state('requested', true)],
    [state('requested', null), 'customer', state('requested', false), state('off', false)],
    [state('on', true), 'customer', state('requested', true), state('on', true)],
    [state('on', true), 'customer', state('requested', false), state('off', false)],
    [state('on', true), 'customer', state('off', false), state('off', false)],
    [state('off', true), 'customer', state('off', false), state('off', false)],
    [UNASKED, 'customer', state('requested', false), state('off', false)],
  ])('%#: %j, %s sends %j: %j', (current, from, move, after) => {
    expect(decideRecording(current, from, move)).toEqual({ kind: 'state', state: after });
  });

  it.each<[RecordingState, Participant, RecordingState, string]>([
    [UNASKED, 'agent', state('on', null), 'consent_required'],
    [state('requested', null), 'agent', state('on', null), 'consent_required'],
    [state('off', false), 'agent', state('on', null), 'consent_required'],
    [state('requested', null), 'agent', state('on', true), 'forbidden'],
    [state('requested', null), 'agent', state('requested', true), 'forbidden'],
    [UNASKED, 'customer', state('requested', true), 'not_requested'],
    [state('off', false), 'customer', state('requested', true), 'not_requested'],
    [state('requested', null), 'customer', state('requested', null), 'forbidden'],
    [state('requested', null), 'customer', state('on', true), 'forbidden'],
    [state('requested', null), 'customer', state('on', false), 'forbidden'],
    [state('requested', null), 'customer', state('off', true), 'forbidden'],
  ])('%#: %j, %s sends %j: refused with %s', (current, from, move, code) => {
    expect(decideRecording(current, from, move)).toMatchObject({ kind: 'refuse', code });
  });

  it('never leads to a recording without consent', () => {
    const consents = [null, true, false];
    const recordings = ['requested', 'on', 'off'] as const;
    const all = recordings.flatMap((recording) => consents.map((consent) => state(recording, consent)));
    const possible = all.filter(({ recording, consent }) => recording !== 'on' || consent === true);
    for (const current of possible) {
      for (const from of ['agent', 'customer'] as const) {
        for (const move of all) {
          const decision = decideRecording(current, from, move);
          if (decision.kind === 'state' && decision.state.recording === 'on')
            expect(decision.state.consent).toBe(true);
        }
      }
    }
  });
});

describe('recordingAfter', () => {
  it.each<[RecordingStatus | null, boolean, boolean, RecordingStatus | null]>([
    ['on', false, false, 'on'],
    ['on', true, false, 'off'],
    ['on', false, true, 'off'],
    ['requested', false, true, 'off'],
    ['off', true, false, 'off'],
    [null, true, true, null],
  ])('%s, ended %s, other agent %s: %s', (recording, isFinal, hasOtherAgent, after) => {
    expect(recordingAfter(recording, { isFinal, hasOtherAgent })).toBe(after);
  });
});
