import type {
  AgentItem,
  AgentOfCall,
  CallbackStatus,
  CallEvent,
  CallItem,
  CallOffer,
  CallStatus,
  ChatMessage,
  CustomerSnapshot,
  DepartmentQueue,
  IceServers,
  MediaState,
  Participant,
  Presence,
  QueuePlace,
  RecordingState,
  Signal,
  StaffSnapshot,
} from './socket-models';

export type * from './socket-models';

/** Events that both participants of a call get. */
export interface CallEvents {
  token_expiring: { expires_at: string; at: string };
  peer_ready: CallEvent & { participant: Participant; session: string };
  peer_disconnected: CallEvent & {
    participant: Participant;
    disconnected_at: string;
    grace_seconds: number;
    deadline: string;
  };
  peer_reconnected: CallEvent & { participant: Participant; reconnected_at: string };
  signal: CallEvent & Signal & { from: Participant };
  renegotiate: CallEvent & { from: Participant };
  chat_message: CallEvent & ChatMessage & { client_id?: string | null };
  media_state: CallEvent & MediaState & { from: Participant };
  recording_state: CallEvent & RecordingState & { from: Participant };
}

export interface CustomerEvents extends CallEvents {
  snapshot: CustomerSnapshot;
  queue_position: CallEvent & QueuePlace & { queue_size: number };
  call_assigned: CallEvent & { agent: AgentOfCall };
  call_requeued: CallEvent & QueuePlace;
  queue_closing: { call_id: string; at: string; closes_at: string; callback_enabled: boolean };
  callback_changed: CallEvent & { status: CallbackStatus; invited_until: string | null };
  call_started: CallEvent & { started_at: string; ice_servers: IceServers };
  call_transferred: CallEvent & { agent?: AgentOfCall; department_name?: string } & Partial<QueuePlace>;
  call_ended: CallEvent & { status: CallStatus; end_reason: string };
  /** With a session: another tab holds the call. Without: the call continues on another device, and this token is void. */
  taken_over: { call_id: string; at: string; session?: string };
}

export interface StaffEvents extends CallEvents {
  snapshot: StaffSnapshot;
  queue_updated: DepartmentQueue & { at: string };
  call_assigned: CallItem & CallEvent;
  call_started: CallItem & CallEvent;
  call_ended: CallItem & CallEvent;
  call_updated: CallItem & CallEvent;
  presence_changed: {
    user_id: string;
    presence: Presence;
    state: AgentItem['state'];
    reason: string | null;
    since: string;
  };
  offer: CallOffer & { call_id: string; at: string };
  offer_ended: { call_id: string; offer_id: string; status: string; reason: string | null; at: string };
  transfer_ended: { call_id: string; user_id: string; status: string; reason: string; at: string };
  /** To supervisors and above. */
  alert: { kind: 'longest_wait' | 'nobody_available'; department_id: string; since: string; at: string };
}
