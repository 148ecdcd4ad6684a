import { signal } from '@preact/signals-core';
import { unwrap } from '../../shared/api/client';
import { connectStaffSocket, newSession, type CallItem, type StaffSocket } from '../../shared/socket';
import { chooseCall } from './choose-call.rules';
import { EndedCall } from './ended-call';
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
  readonly ended: EndedCall;
  /** A call of the agent that waits until they are done with the ended one: a supervisor has assigned it, for example. */
  readonly next = signal<CallItem | null>(null);
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
    this.ended = new EndedCall(this);
    this.call.subscribe((call) => {
      if (call) this.ended.forget();
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
    // By the clock of the service: timers of a hidden tab can be late.
    this.socket.on('token_expiring', ({ expires_at }) => session.renewBefore(Date.parse(expires_at)));
    this.socket.on('snapshot', ({ active_calls }) => void this.adopt(active_calls));
    for (const event of ['call_assigned', 'call_started', 'call_ended', 'call_updated'] as const) {
      this.socket.on(event, (call) => this.callChanged(call, userId));
    }
  }

  /** The call, if this tab has it. */
  get call() {
    return this.own.current;
  }

  /** Takes a call out of the queue, or the one that waits beside the ended one. */
  async answer(callId: string): Promise<void> {
    this.own.want(callId);
    await this.startCall(callId);
    this.follow();
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
    this.ended.keep(call);
    this.remove(call.id);
  }

  /** Takes the ended call from the screen. */
  closeEnded(): void {
    this.ended.close();
    this.follow();
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
      if (wasFollowed) {
        // Also one that somebody else has now: the agent may be typing in it.
        if (present) this.ended.keep(present);
        this.noteEnd(call);
      } else if (call.id === this.lastCall.value?.id) this.lastCall.value = call;
      this.remove(call.id);
      const { value: ended } = this.ended.current;
      if (call.id === ended?.id) ended.call.value = call;
    }
  }

  private remove(callId: string): void {
    if (this.open.delete(callId)) this.follow();
  }

  /** Another call waits beside the ended one until the agent asks for it: they may be typing. */
  private follow(): void {
    const { value: endedId } = this.ended.id;
    const { id, wanted } = this.own;
    const call = chooseCall([...this.open.values()], id ?? endedId, wanted);
    const mustWait = endedId !== null && call !== null && call.id !== endedId && call.id !== wanted;
    this.next.value = mustWait ? call : null;
    this.own.follow(mustWait ? null : call);
  }

  /** A snapshot does not say what became of the call before: it ended, or somebody else has it. */
  private async adopt(calls: readonly CallItem[]): Promise<void> {
    const before = this.own.id;
    const present = this.call.value;
    this.open = new Map(calls.map((call) => [call.id, call]));
    const isOver = before !== null && !this.open.has(before);
    // At once, so that what the agent types in it stays where it is.
    if (isOver && present) this.ended.keep(present);
    this.follow();
    void this.ended.restore().then(() => this.follow());
    if (!isOver) return;
    const params = { path: { id: before } };
    // Who may not see the call any more is not told.
    const answer = await unwrap(this.session.api.GET('/api/v1/calls/{id}', { params })).catch(() => null);
    if (!answer) return;
    this.noteEnd(answer.data);
    if (present) present.call.value = answer.data;
  }

  private noteEnd(call: CallItem): void {
    const isOwn = call.user_id === this.userId;
    this.lastCall.value = isOwn ? call : null;
    this.lostCall.value = isOwn ? null : call;
  }
}
