import { signal } from '@preact/signals-core';
import { unwrap } from '../../shared/api/client';
import { connectStaffSocket, newSession, type CallItem, type StaffSocket } from '../../shared/socket';
import type { AgentCall } from './agent-call';
import { chooseCall } from './choose-call.rules';
import { OwnCall } from './own-call';
import { RecordingUploads } from './recordings/recording-uploads';
import { isPageOld } from './page-version';
import { QueueState } from './queue-state';
import { ENROLMENT_REQUIRED, type StaffSession } from './staff-session';
import { CallUploads } from './uploads/call-uploads';
import { fileSender } from './uploads/send-file';

/** Until the next connection these can only be cured by a new token. */
const TOKEN_PROBLEMS = new Set(['token_expired', 'token_invalid', 'session_ended']);

/** Of a logged-in agent: the socket, the queues and the call. */
export class ConsoleState {
  readonly isConnected = signal(false);
  /** Whether the service has a newer version of this page. */
  readonly isOld = signal(false);
  /** The call that this tab had until it ended. It is shown until the agent closes it, or has another one. */
  readonly ended = signal<AgentCall | null>(null);
  /** The ended call that the agent has closed last. */
  readonly closedId = signal<string | null>(null);
  /** The call that has ended last, whose notes the agent may still complete. */
  readonly lastCall = signal<CallItem | null>(null);
  /** The call that has gone to another agent or into a line instead of ending. */
  readonly lostCall = signal<CallItem | null>(null);
  readonly own: OwnCall;
  readonly queue: QueueState;
  readonly socket: StaffSocket;
  readonly recordingUploads: RecordingUploads;
  readonly callUploads: CallUploads;
  /** The agent may have several: another one may be assigned to them during a call. */
  private open = new Map<string, CallItem>();

  constructor(
    readonly session: StaffSession,
    readonly userId: string,
  ) {
    this.recordingUploads = new RecordingUploads(session, userId);
    this.callUploads = new CallUploads(fileSender(session, userId));
    this.socket = connectStaffSocket({ token: () => session.accessToken, session: newSession() });
    this.queue = new QueueState(this.socket, userId);
    this.own = new OwnCall(this);
    this.call.subscribe((call) => {
      if (call) this.ended.value = null;
    });
    session.onRenewed = (token) => this.useToken(token);
    this.socket.on('connect', () => {
      this.isConnected.value = true;
      void this.recordingUploads.uploadLeftovers();
      // A deployment is what most often ends connections.
      void isPageOld().then((isOld) => (this.isOld.value = isOld));
    });
    this.socket.on('disconnect', () => (this.isConnected.value = false));
    this.socket.on('connect_error', ({ code }) => {
      if (code === ENROLMENT_REQUIRED) session.mustEnrol.value = true;
      if (TOKEN_PROBLEMS.has(code)) void session.renew();
    });
    this.socket.on('snapshot', ({ active_calls }) => void this.adopt(active_calls));
    for (const event of ['call_assigned', 'call_started', 'call_ended', 'call_updated'] as const) {
      this.socket.on(event, (call) => this.callChanged(call, userId));
    }
  }

  /** The call, if this tab has it. */
  get call() {
    return this.own.current;
  }

  /** Takes a call out of the queue. */
  async answer(callId: string): Promise<void> {
    this.own.want(callId);
    await this.startCall(callId);
  }

  /** Also assigns a waiting call: in one step, so that nothing is left half done if the plan's limit refuses it. */
  async startCall(callId: string): Promise<void> {
    const { api } = this.session;
    await unwrap(api.POST('/api/v1/calls/{id}/start', { params: { path: { id: callId } } }));
  }

  async accept(offerId: string): Promise<void> {
    const offered = this.queue.offers.value.find(({ offer }) => offer.id === offerId);
    if (offered) this.own.want(offered.offer.call_id);
    this.callChanged(await this.socket.emit('accept_offer', { offer_id: offerId }), this.userId);
  }

  /** Nothing if it has ended meanwhile. */
  async complete(callId: string): Promise<void> {
    const { value: call } = this.call;
    if (call?.id !== callId) return;
    await this.socket.emit('end_call', { call_id: call.id });
    // The event about it can be quicker than the answer.
    if (this.call.value !== call) return;
    this.lastCall.value = call.call.value;
    this.remove(call.id);
    this.keep(call);
  }

  /** Takes the ended call from the screen. */
  closeEnded(): void {
    this.closedId.value = this.ended.value?.id ?? null;
    this.ended.value = null;
  }

  close(): void {
    this.own.follow(null);
    this.callUploads.close();
    this.socket.close();
  }

  /** A refused connection is not tried again by itself, however long ago that was. */
  private useToken(token: string): void {
    if (!this.socket.connected) this.socket.reconnect();
    // If it fails, the service ends the connection with the former token, and the next one has the new token.
    else void this.socket.emit('authenticate', { token }).catch(() => undefined);
  }

  private callChanged(call: CallItem, userId: string): void {
    const isMine = call.user_id === userId && (call.status === 'assigned' || call.status === 'active');
    const wasFollowed = call.id === this.own.id;
    const present = this.call.value;
    if (isMine) {
      this.open.set(call.id, call);
      this.follow();
    } else {
      this.remove(call.id);
      if (wasFollowed) this.leave(call, present);
      else if (call.id === this.lastCall.value?.id) this.lastCall.value = call;
      if (call.id === this.ended.value?.id) this.ended.value.call.value = call;
    }
  }

  private remove(callId: string): void {
    if (this.open.delete(callId)) this.follow();
  }

  private follow(): void {
    this.own.follow(chooseCall([...this.open.values()], this.own.id, this.own.wanted));
  }

  /** A snapshot does not say what became of the call before: it ended, or somebody else has it. */
  private async adopt(calls: readonly CallItem[]): Promise<void> {
    const before = this.own.id;
    const present = this.call.value;
    this.open = new Map(calls.map((call) => [call.id, call]));
    this.follow();
    if (before === null || this.open.has(before)) return;
    // At once, so that what the agent types in it stays where it is.
    this.keep(present);
    const params = { path: { id: before } };
    // Who may not see the call any more is not told.
    const answer = await unwrap(this.session.api.GET('/api/v1/calls/{id}', { params })).catch(() => null);
    if (answer) this.leave(answer.data, present);
  }

  /** @param present the call, if this tab had it */
  private leave(call: CallItem, present: AgentCall | null): void {
    const isOwn = call.user_id === this.userId;
    this.lastCall.value = isOwn ? call : null;
    this.lostCall.value = isOwn ? null : call;
    // Also one that somebody else has now: the agent may be typing in it.
    this.keep(present);
  }

  private keep(call: AgentCall | null): void {
    if (call && !this.call.value) this.ended.value = call;
  }
}
