import type {
  Callback,
  CallItem,
  CallStatus,
  ChatMessage,
  CustomerSnapshot,
  DeviceReport,
  IceServers,
  MediaState,
  RecordingState,
  Signal,
  StaffSnapshot,
  WaitRange,
} from './socket-models';

interface OfCall {
  call_id?: string;
}

interface Delivery {
  delivered: boolean;
}

interface KeptPlace {
  call_id: string;
  status: CallStatus;
  position: number;
  estimated_wait_time: number;
  estimated_wait_range: WaitRange;
  has_estimate?: boolean;
  ringing?: boolean;
  callback: Callback;
}

/** `[payload, data of the acknowledgement]` of each event that a client sends. */
export interface CallRequests {
  authenticate: [{ token: string }, undefined];
  signal: [OfCall & Signal, Delivery | undefined];
  chat_message: [OfCall & { text: string; client_id?: string }, ChatMessage];
  media_state: [OfCall & MediaState, undefined];
  quality_report: [
    OfCall & { rtt_ms: number | null; loss: number | null; bitrate: number | null },
    undefined,
  ];
  recording_state: [OfCall & { recording: RecordingState['recording']; consent?: boolean }, RecordingState];
  /** Only customers. */
  renegotiate: [OfCall, Delivery | undefined];
  end_call: [OfCall, { call_id: string; status: CallStatus; end_reason: string; completed_at: string }];
}

export interface CustomerRequests extends CallRequests {
  snapshot: [undefined, CustomerSnapshot];
  leave_queue: [undefined, { call_id: string; status: CallStatus }];
  request_callback: [{ channel: 'email' | 'webhook'; email?: string | null }, KeptPlace];
  cancel_callback: [undefined, KeptPlace];
  take_over: [undefined, undefined];
  device_report: [DeviceReport, undefined];
}

export interface JoinedCall {
  call: CallItem;
  ice_servers: IceServers;
  chat_messages?: ChatMessage[];
  recording_state?: RecordingState | null;
}

export interface StaffRequests extends CallRequests {
  snapshot: [undefined, StaffSnapshot];
  join_call: [{ call_id: string; session?: string }, JoinedCall];
  accept_offer: [{ offer_id: string }, CallItem];
  decline_offer: [{ offer_id: string; reason?: string | null }, unknown];
  set_presence: [{ presence: 'online' | 'away'; reason?: string | null }, undefined];
  watch_department: [{ department_id: string }, undefined];
  unwatch_department: [{ department_id: string }, undefined];
}
