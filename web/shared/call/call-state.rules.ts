import type { CallState } from './call-types';

export interface CallFacts {
  isClosed: boolean;
  /** The other side has said that it is there, or has sent an offer. */
  hasPeer: boolean;
  /** Its media have arrived since it was there first. */
  wasConnected: boolean;
  isAlive: boolean;
  /** The network allows no own video. */
  isAudioOnly: boolean;
}

export function callState(facts: CallFacts): CallState {
  if (facts.isClosed) return 'closed';
  if (facts.isAlive) return facts.isAudioOnly ? 'audio_only' : 'connected';
  if (facts.wasConnected) return 'reconnecting';
  return facts.hasPeer ? 'connecting' : 'waiting';
}
