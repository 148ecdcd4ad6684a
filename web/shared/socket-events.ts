import type { components } from './api/schema';

type Schemas = components['schemas'];

export type Participant = 'customer' | 'agent';
export type CallStatus =
  'queued' | 'assigned' | 'active' | 'completed' | 'missed' | 'cancelled' | 'abandoned';
export type CallItem = Schemas['CallListItemDto'] & { device_report?: DeviceReport | null };
export type WaitRange = { low: number; high: number } | null;
export type Callback = { status: CallbackStatus; invited_until: string | null } | null;
export type CallbackStatus = 'requested' | 'invited' | 'returned' | 'expired' | 'cancelled';
export type Presence = 'online' | 'away' | 'busy' | 'offline';
export type IceServers = RTCIceServer[];

/** The fields that every event of a call has. */
export interface CallEvent {
  call_id: string;
  at: string;
  version: number;
}

export interface ChatMessage {
  id: string;
  from: Participant;
  text: string;
  at: string;
}

export interface MediaState {
  audio: boolean;
  video: boolean;
  screen: boolean;
}

export type DeviceStatus = 'ok' | 'refused' | 'missing';

export interface DeviceReport {
  camera: DeviceStatus;
  microphone: DeviceStatus;
  /** Null: not measured. */
  network: 'good' | 'fair' | 'poor' | null;
  relay: boolean | null;
}

export interface RecordingState {
  recording: 'requested' | 'on' | 'off';
  consent: boolean | null;
}

interface QueuePlace {
  position: number;
  estimated_wait_time: number;
  estimated_wait_range: WaitRange;
}

export interface CustomerSnapshot extends CallEvent, QueuePlace {
  status: CallStatus;
  agent: { name: string } | null;
  started_at: string | null;
  disconnected_at: string | null;
  grace_deadline: string | null;
  callback: Callback;
  /** The last 200; the count is of all. */
  chat_messages?: ChatMessage[];
  chat_message_count?: number;
  recording_state?: RecordingState | null;
}

export interface AgentItem {
  user_id: string;
  name: string;
  state: 'on_call' | 'offline' | 'offered' | 'wrap_up' | 'paused' | 'available';
  reason: string | null;
  since: string | null;
  idle_since: string | null;
  wrap_up_until: string | null;
  call_id: string | null;
}

export interface WaitingCall extends CallItem {
  absent_since: string | null;
  calls_from_address: number;
}

export interface DepartmentQueue {
  department_id: string;
  size: number;
  longest_wait: number;
  calls: WaitingCall[] | null;
}

export interface CallOffer {
  offer: Schemas['OfferDto'];
  call: CallItem;
}

export interface StaffSnapshot {
  presence: Presence;
  pause_reasons: string[];
  agents: AgentItem[];
  offers: CallOffer[];
  active_calls: CallItem[];
  queues: DepartmentQueue[];
  at: string;
}

export interface Signal {
  description?: RTCSessionDescriptionInit;
  candidate?: RTCIceCandidateInit;
}

/** Events that both participants of a call get. */
export interface CallEvents {
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
  call_assigned: CallEvent & { agent: { name: string } };
  call_requeued: CallEvent & QueuePlace;
  queue_closing: { call_id: string; at: string; closes_at: string; callback_enabled: boolean };
  callback_changed: CallEvent & { status: CallbackStatus; invited_until: string | null };
  call_started: CallEvent & { started_at: string; ice_servers: IceServers };
  call_transferred: CallEvent & { agent?: { name: string }; department_name?: string } & Partial<QueuePlace>;
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
}
