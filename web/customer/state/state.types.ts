import type {
  ApiProblem,
  Callback,
  ChatMessage,
  LinkValidation,
  QueueEntry,
  RecordingState,
  Snapshot,
} from './server.types';
import type { Retry } from '../../shared/api/retry';
import type { SaidWait } from '../../shared/texts/wait/wait-text';
import type { SocketEventName, SocketEvents } from './server.types';

/** What is known of the customer's call. */
export interface CallFacts {
  id: string;
  /** 0 until the first snapshot. */
  version: number;
  position: number;
  /** Null while nothing can be said of it. */
  wait: SaidWait | null;
  /** Whether an agent is being called. */
  ringing: boolean;
  callback: Callback;
  callbackEnabled: boolean;
  /** Where the message about the turn goes; undefined until the service has said so. */
  email: string | null | undefined;
  department: string | null;
  agent: string | null;
  /** The address of the agent's photo. */
  agentPhoto: string | null;
  /** In the time of this device, in milliseconds: its clock may be wrong. */
  startedAt: number | null;
  /** Set once the department has announced that it closes. */
  closesAt: string | null;
  recording: RecordingState | null;
}

/** Why a call is over without a conversation that could be rated. */
export type OverReason =
  | 'left'
  | 'cancelled'
  | 'absent'
  | 'unanswered'
  | 'closed'
  | 'callback_expired'
  | 'missed'
  | 'gone'
  | 'return_link_invalid'
  /** Away for too long, or nobody answered: a reloaded page cannot tell. */
  | 'unknown';

/** How the visit ended: the customer has rated the call, did not want to, or had their data removed from the device. */
export type Farewell = 'rated' | 'skipped' | 'forgotten';

/** One screen of the page, with what it shows. */
export type State =
  /** The link cannot be used, or the service failed. */
  | { screen: 'problem'; problem: ApiProblem }
  | { screen: 'closed'; opensAt: string | null }
  | { screen: 'full' }
  /** @param hadPlace whether an earlier place in the line has ended since the last visit */
  | { screen: 'form'; problem: ApiProblem | null; hadPlace: boolean }
  | { screen: 'joining'; retry: Retry | null }
  | { screen: 'resuming'; retry: Retry | null }
  | { screen: 'waiting'; call: CallFacts; since: 'join' | 'unanswered' | 'transfer' }
  | { screen: 'callback'; call: CallFacts }
  | { screen: 'called'; call: CallFacts }
  | { screen: 'in_call'; call: CallFacts; peerLost: PeerLoss | null; isNewAgent: boolean }
  | { screen: 'over'; why: OverReason }
  | { screen: 'rating'; call: CallFacts; wasLost: boolean; problem: ApiProblem | null }
  | { screen: 'thanks'; after: Farewell }
  /** The call was continued on another device, by its resume link. */
  | { screen: 'other_device' };

export interface PeerLoss {
  /** Device time at which the call ends, in milliseconds. */
  until: number;
  /** False if a snapshot told of it: that may mean this side's own loss, which ends with the connection. */
  isAgent: boolean;
}

export type Screen = State['screen'];

export type StateOf<S extends Screen> = Extract<State, { screen: S }>;

/** How the reducer learns of what it cannot compute. */
export interface Moment {
  /** Device time in milliseconds. */
  now: number;
  /** How long the socket had been closed when the event came, in milliseconds. */
  offlineMs: number;
  /** QUEUE_ABSENCE_SECONDS, in milliseconds. */
  absenceMs: number;
}

export type PageEvent =
  | { type: 'join_sent' }
  | { type: 'resume_sent' }
  | { type: 'retry'; retry: Retry }
  /** `email` is the address that the customer has just given for the message about their turn. */
  /** `version` is that of the call when the service was asked; undefined if the page knew no call. */
  | { type: 'entered'; entry: QueueEntry; link: LinkValidation | null; email?: string; version?: number }
  | { type: 'join_refused'; problem: ApiProblem }
  /** `start` is what the page shows without a call. */
  | { type: 'resume_refused'; problem: ApiProblem; byLink: boolean; start: State }
  | { type: 'link_checked'; link: LinkValidation }
  | { type: 'left' }
  | { type: 'start_over'; start: State }
  /** The agent of the call can be seen and heard. */
  | { type: 'connected' }
  | { type: 'snapshot'; snapshot: Snapshot }
  | {
      [Name in SocketEventName]: { type: 'socket'; name: Name; payload: SocketEvents[Name] };
    }[SocketEventName]
  | { type: 'rated' }
  | { type: 'rating_refused'; problem: ApiProblem }
  | { type: 'rating_skipped'; isForgotten: boolean }
  | { type: 'other_device' };

export type { ChatMessage };
