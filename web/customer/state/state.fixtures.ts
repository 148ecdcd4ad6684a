import { ApiError } from '../../shared/api/api-error';
import type { QueueEntry, Snapshot } from './server.types';
import type { CallFacts, Moment, State, StateOf } from './state.types';

/** Values for the specs of the page's states. */

export const NOW = Date.parse('2026-03-02T12:00:00.000Z');

export const moment = (changes: Partial<Moment> = {}): Moment => ({
  now: NOW,
  offlineMs: 0,
  absenceMs: 300_000,
  ...changes,
});

export const call = (changes: Partial<CallFacts> = {}): CallFacts => ({
  id: 'call-1',
  version: 1,
  position: 3,
  wait: { estimate: 480, range: { low: 240, high: 660 } },
  ringing: false,
  callback: null,
  callbackEnabled: true,
  email: 'clara@example.com',
  department: 'Support',
  agent: null,
  agentPhoto: null,
  startedAt: null,
  closesAt: null,
  recording: null,
  ...changes,
});

export const waiting = (changes: Partial<CallFacts> = {}): StateOf<'waiting'> => ({
  screen: 'waiting',
  call: call(changes),
  since: 'join',
});

export const inCall = (changes: Partial<StateOf<'in_call'>> = {}): StateOf<'in_call'> => ({
  screen: 'in_call',
  call: call({ agent: 'Ana', position: 0 }),
  peerLost: null,
  isNewAgent: false,
  ...changes,
});

export const called = (changes: Partial<CallFacts> = {}): State => ({
  screen: 'called',
  call: call({ agent: 'Ana', position: 0, ...changes }),
});

export const snapshot = (changes: Partial<Snapshot> = {}): Snapshot => ({
  call_id: 'call-1',
  at: new Date(NOW).toISOString(),
  status: 'queued',
  end_reason: null,
  department_name: 'Support',
  callback_enabled: true,
  position: 3,
  estimated_wait_time: 480,
  estimated_wait_range: { low: 240, high: 660 },
  has_estimate: true,
  agent: null,
  started_at: null,
  disconnected_at: null,
  grace_deadline: null,
  callback: null,
  callback_email: 'clara@example.com',
  version: 1,
  ...changes,
});

export const entry = (changes: Partial<QueueEntry> = {}): QueueEntry => ({
  call_id: 'call-1',
  status: 'queued',
  position: 3,
  estimated_wait_time: 480,
  estimated_wait_range: { low: 240, high: 660 },
  has_estimate: true,
  ringing: false,
  callback: null,
  websocket_token: 'token',
  websocket_url: 'ws://localhost/socket/websocket',
  ...changes,
});

export const problem = (code: string, changes: Partial<ApiError> = {}): ApiError =>
  new ApiError({ code, detail: '', status: 422, ...changes });
