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

/** `longest_wait` is of `received_at`, in milliseconds since 1970 by the clock of the browser. */
export interface QueueNews extends DepartmentQueue {
  received_at: number;
}

/** What the service tells of the agent, their colleagues and the queues. */
export class QueueState {
  readonly presence = signal<Presence>('offline');
  /** Of the company, for `choosePresence`. */
  readonly pauseReasons = signal<string[]>([]);
  readonly agents = signal<AgentItem[]>([]);
  readonly offers = signal<CallOffer[]>([]);
  readonly queues = signal<QueueNews[]>([]);
  /** When the service last told something, in milliseconds since 1970. */
  readonly newsAt = signal<number | null>(null);
  /** The agent's own state, for example wrap-up. */
  readonly own = computed(() => this.agents.value.find((agent) => agent.user_id === this.userId));
  readonly waiting = computed(() => this.queues.value.flatMap(({ calls }) => calls ?? []));

  constructor(
    private readonly socket: StaffSocket,
    private readonly userId: string,
  ) {
    socket.on('snapshot', (snapshot) => {
      this.presence.value = snapshot.presence;
      this.pauseReasons.value = snapshot.pause_reasons;
      this.agents.value = snapshot.agents;
      this.offers.value = snapshot.offers;
      this.newsAt.value = Date.now();
      this.queues.value = snapshot.queues.map((queue) => ({ ...queue, received_at: Date.now() }));
      for (const { department_id } of snapshot.queues) this.watch(department_id);
    });
    socket.on('queue_updated', (queue) => this.updateQueue(queue));
    socket.on('offer', ({ offer, call }) => {
      this.offers.value = [...this.without(offer.id), { offer, call }];
    });
    socket.on('offer_ended', ({ offer_id }) => (this.offers.value = this.without(offer_id)));
    for (const event of ['call_assigned', 'call_started', 'call_ended', 'call_updated'] as const) {
      socket.on(event, (call) => this.updateCall(call));
    }
    socket.on('presence_changed', (change) => {
      this.newsAt.value = Date.now();
      if (change.user_id === this.userId) this.presence.value = change.presence;
      this.agents.value = this.agents.value.map((agent) =>
        agent.user_id === change.user_id
          ? { ...agent, state: change.state, reason: change.reason, since: change.since }
          : agent,
      );
    });
  }

  async choosePresence(presence: 'online' | 'away', reason: string | null = null): Promise<void> {
    await this.socket.emit('set_presence', { presence, reason });
  }

  async decline(offerId: string): Promise<void> {
    await this.socket.emit('decline_offer', { offer_id: offerId });
    this.offers.value = this.without(offerId);
  }

  private without(offerId: string): CallOffer[] {
    return this.offers.value.filter(({ offer }) => offer.id !== offerId);
  }

  /** Without it, the updates of a queue have counts only. */
  private watch(departmentId: string): void {
    this.socket.emit('watch_department', { department_id: departmentId }).catch(() => undefined);
  }

  /** `presence_changed` does not say in which call an agent is. */
  private updateCall(call: CallItem): void {
    this.newsAt.value = Date.now();
    this.agents.value = withCall(this.agents.value, call);
  }

  private updateQueue(queue: DepartmentQueue): void {
    const received_at = Date.now();
    this.newsAt.value = received_at;
    const known = this.queues.value.find(({ department_id }) => department_id === queue.department_id);
    const calls = queue.calls ?? known?.calls ?? null;
    const others = this.queues.value.filter((other) => other !== known);
    this.queues.value = [...others, { ...queue, calls, received_at }].toSorted((one, other) =>
      one.department_id < other.department_id ? -1 : 1,
    );
  }
}
