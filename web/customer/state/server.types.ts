/** What the service sends, as far as this page uses it. */
import type { CustomerEvents } from '../../shared/socket-events';
import type { components } from '../../shared/api/schema';

export type {
  Callback,
  CallStatus,
  ChatMessage,
  CustomerSnapshot as Snapshot,
  RecordingState,
  WaitRange,
} from '../../shared/socket-models';
export type { LinkValidation } from '../../shared/page-data';
export type { ApiError as ApiProblem } from '../../shared/api/api-error';

/** The answer to a join, a resume and a callback request. */
export type QueueEntry = components['schemas']['QueueEntryDto'];

/** The answer to a question about the call. */
export type CallStatusAnswer = components['schemas']['CallStatusDto'];

/** The events of the socket that change what this page shows. */
export type SocketEventName = Exclude<
  keyof CustomerEvents,
  | 'snapshot'
  | 'signal'
  | 'peer_ready'
  | 'renegotiate'
  | 'chat_message'
  | 'media_state'
  | 'taken_over'
  | 'token_expiring'
>;

export type SocketEvents = Pick<CustomerEvents, SocketEventName>;
