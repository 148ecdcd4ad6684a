import { computed, signal } from '@preact/signals-core';
import type {
  AgentItem,
  CallItem,
  CallOffer,
  DepartmentQueue,
  Presence,
  StaffSocket,
} from '../../shared/socket';
import { withCall } from './agents-calls';

/** A queue with the time of this computer at which it was received: its longest wait grows from then on. */
export type ReceivedQueue = DepartmentQueue & { received_at: number };

/** For the message about the end of an offer to arrive. */
const EXPIRY_GRACE_MS = 2000;

/** The reason of supervisors and above who are paused because they take no calls. */
export const NOT_TAKING_CALLS = 'not_taking_calls';

/** What the service tells of the agent, their colleagues and the queues. */
export class QueueState {
  readonly presence = signal<Presence>('offline');
  /** Whether the user has ever chosen a presence; true until the service says. */
  readonly hasChosenState = signal(true);
  /** Of the company, for `choosePresence`. */
  readonly pauseReasons = signal<string[]>([]);
  readonly agents = signal<AgentItem[]>([]);
  readonly offers = signal<CallOffer[]>([]);
  readonly queues = signal<ReceivedQueue[]>([]);
  /** When the service last sent something, in milliseconds since 1970. */
  readonly newsAt = signal<number | null>(null);
  /** Milliseconds that the clock of the service is ahead of the one of this computer. */
  readonly clockOffset = signal(0);
  /** The agent's own state, for example wrap-up. */
  readonly own = computed(() => this.agents.value.find((agent) => agent.user_id === this.userId));
  readonly waiting = computed(() => this.queues.value.flatMap(({ calls }) => calls ?? []));
  private isConnectionNew = false;
  /** The departments whose rows this connection receives. */
  private readonly watched = new Set<string>();

  constructor(
    private readonly socket: StaffSocket,
    private readonly userId: string,
  ) {
    // Only the snapshot of a new connection has the time of the service.
    socket.on('connect', () => {
      this.isConnectionNew = true;
      this.watched.clear();
    });
    socket.on('snapshot', (snapshot) => {
      if (this.isConnectionNew) this.setClock(snapshot.at);
      this.isConnectionNew = false;
      this.presence.value = snapshot.presence;
      // Services of before it was part of the snapshot make every user available.
      this.hasChosenState.value = snapshot.has_chosen_state ?? true;
      this.pauseReasons.value = snapshot.pause_reasons;
      this.agents.value = snapshot.agents;
      this.offers.value = snapshot.offers;
      for (const one of snapshot.offers) this.removeLater(one);
      const received_at = Date.now();
      this.newsAt.value = received_at;
      this.queues.value = snapshot.queues.map((queue) => ({ ...queue, received_at }));
      this.watchAll(snapshot.queues.map(({ department_id }) => department_id));
    });
    socket.on('queue_updated', (queue) => this.updateQueue(queue));
    socket.on('offer', ({ offer, call, at }) => {
      this.setClock(at);
      this.offers.value = [...this.without(offer.id), { offer, call }];
      this.removeLater({ offer, call });
    });
    socket.on('offer_ended', ({ offer_id }) => (this.offers.value = this.without(offer_id)));
    for (const event of ['call_assigned', 'call_started', 'call_ended', 'call_updated'] as const) {
      socket.on(event, (call) => this.updateCall(call));
    }
    socket.on('presence_changed', (change) => {
      this.newsAt.value = Date.now();
      const { user_id, state, reason, since } = change;
      if (user_id === this.userId) {
        this.presence.value = change.presence;
        // The event does not tell until when it lasts.
        if (state === 'wrap_up') socket.resync();
      }
      this.updateAgent({ user_id, state, reason, since });
    });
  }

  async choosePresence(presence: 'online' | 'away', reason: string | null = null): Promise<void> {
    await this.socket.emit('set_presence', { presence, reason });
    this.hasChosenState.value = true;
  }

  /** @param reason why, for supervisors */
  async decline(offerId: string, reason: string | null = null): Promise<void> {
    await this.socket.emit('decline_offer', { offer_id: offerId, reason });
    this.offers.value = this.without(offerId);
  }

  /** What the service has answered about an agent. */
  updateAgent(changed: Pick<AgentItem, 'user_id'> & Partial<AgentItem>): void {
    this.agents.value = this.agents.value.map((agent) =>
      agent.user_id === changed.user_id ? { ...agent, ...changed } : agent,
    );
  }

  private setClock(at: string): void {
    this.clockOffset.value = Date.parse(at) - Date.now();
  }

  /** The service says when an offer ends. Without a connection it ends by the clock, or it would ring on. */
  private removeLater({ offer: { id, expires_at } }: CallOffer): void {
    const delay = Date.parse(expires_at) - this.clockOffset.value - Date.now();
    setTimeout(() => (this.offers.value = this.without(id)), Math.max(0, delay) + EXPIRY_GRACE_MS);
  }

  private without(offerId: string): CallOffer[] {
    return this.offers.value.filter(({ offer }) => offer.id !== offerId);
  }

  /** Those that the user no longer sees are not sent any more, so they would have to be watched again. */
  private watchAll(departmentIds: readonly string[]): void {
    for (const id of this.watched) if (!departmentIds.includes(id)) this.watched.delete(id);
    for (const id of departmentIds) this.watch(id);
  }

  /** Without it, the updates of a queue have counts only. */
  private watch(departmentId: string): void {
    if (this.watched.has(departmentId)) return;
    this.watched.add(departmentId);
    this.socket
      .emit('watch_department', { department_id: departmentId })
      .catch(() => this.watched.delete(departmentId));
  }

  /** `presence_changed` does not say in which call an agent is. */
  private updateCall(call: CallItem): void {
    this.newsAt.value = Date.now();
    this.agents.value = withCall(this.agents.value, call);
    if (call.status !== 'queued') this.removeRow(call.id);
  }

  /** Without it, the row of a taken call would stay, and could be answered, until the next `queue_updated`. */
  private removeRow(callId: string): void {
    if (!this.waiting.value.some(({ id }) => id === callId)) return;
    this.queues.value = this.queues.value.map((queue) => ({
      ...queue,
      calls: queue.calls?.filter(({ id }) => id !== callId) ?? null,
    }));
  }

  private updateQueue(queue: DepartmentQueue): void {
    const received_at = Date.now();
    this.newsAt.value = received_at;
    const known = this.queues.value.find(({ department_id }) => department_id === queue.department_id);
    if (!known) this.watch(queue.department_id);
    const calls = queue.calls ?? known?.calls ?? null;
    const others = this.queues.value.filter((other) => other !== known);
    this.queues.value = [...others, { ...queue, calls, received_at }].sort((one, other) =>
      one.department_id < other.department_id ? -1 : 1,
    );
  }
}
