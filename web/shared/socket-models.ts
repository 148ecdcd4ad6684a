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
  /** What the customer sent. Instances of the former release leave it out. */
  file?: Schemas['UploadedFileDto'] | null;
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

export interface QueuePlace {
  position: number;
  estimated_wait_time: number;
  estimated_wait_range: WaitRange;
  /** False while no agent is reachable. Instances of the former release leave it out. */
  has_estimate?: boolean;
  /** Whether an agent is being called. Instances of the former release leave it out. */
  ringing?: boolean;
}

export interface AgentOfCall {
  name: string;
  /** Instances of the former release leave it out. */
  avatar_url?: string | null;
}

export interface CustomerSnapshot extends CallEvent, QueuePlace {
  status: CallStatus;
  /** Of the department in whose line the call is now. */
  department_name: string;
  callback_enabled: boolean;
  agent: AgentOfCall | null;
  started_at: string | null;
  disconnected_at: string | null;
  grace_deadline: string | null;
  callback: Callback;
  /** Instances of the former release leave it out. */
  callback_email?: string | null;
  end_reason: CallItem['end_reason'];
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
  /** Instances of the former release leave them out. */
  priority?: number;
  skills?: Schemas['RequiredSkillDto'][];
}

export interface DepartmentQueue {
  department_id: string;
  /** Instances of the former release leave it out. */
  department_name?: string;
  size: number;
  longest_wait: number;
  /** Instances of the former release leave out the opening hours: this and the two below. */
  open?: boolean;
  /** ISO 8601; null while it is open, or if it never opens. */
  opens_at?: string | null;
  /** ISO 8601: the end of the period that is open, or of the next one; null if it never closes, or never opens. */
  closes_at?: string | null;
  calls: WaitingCall[] | null;
}

export interface CallOffer {
  offer: Schemas['OfferDto'];
  call: CallItem;
}

export interface StaffSnapshot {
  presence: Presence;
  /** Instances of the former release leave it out. */
  has_chosen_state?: boolean;
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
