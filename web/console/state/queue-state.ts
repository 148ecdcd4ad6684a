import { computed, signal } from '@preact/signals-core';
import type { AgentItem, CallOffer, DepartmentQueue, Presence, StaffSocket } from '../../shared/socket';

/** What the service tells of the agent, their colleagues and the queues. */
export class QueueState {
  readonly presence = signal<Presence>('offline');
  /** Of the company, for `choosePresence`. */
  readonly pauseReasons = signal<string[]>([]);
  readonly agents = signal<AgentItem[]>([]);
  readonly offers = signal<CallOffer[]>([]);
  readonly queues = signal<DepartmentQueue[]>([]);
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
      this.queues.value = snapshot.queues;
      for (const { department_id } of snapshot.queues) this.watch(department_id);
    });
    socket.on('queue_updated', (queue) => this.updateQueue(queue));
    socket.on('offer', ({ offer, call }) => {
      this.offers.value = [...this.without(offer.id), { offer, call }];
    });
    socket.on('offer_ended', ({ offer_id }) => (this.offers.value = this.without(offer_id)));
    socket.on('presence_changed', (change) => {
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

  private updateQueue(queue: DepartmentQueue): void {
    const known = this.queues.value.find(({ department_id }) => department_id === queue.department_id);
    const calls = queue.calls ?? known?.calls ?? null;
    const others = this.queues.value.filter((other) => other !== known);
    this.queues.value = [...others, { ...queue, calls }].toSorted((one, other) =>
      one.department_id < other.department_id ? -1 : 1,
    );
  }
}
