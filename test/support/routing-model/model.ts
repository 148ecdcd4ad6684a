/**
 * A small model of the distribution of calls: what is known of departments, agents and calls, and how offers end. It does
 * not predict who gets an offer, but says for each offer whether it was allowed. Times are milliseconds.
 */

export const OFFER_MS = 20_000;
export const WRAP_UP_SECONDS = 30;
/** Each of the two departments overflows to the other one. */
export const OVERFLOW_SECONDS = 45;
const EXCLUSION_MS = 10_000;
const RING_MS = 60_000;
const RELAX_MS = 60_000;
const RESERVATION_MS = 30_000;
const PRIORITY_STEP_MS = 60_000;
const PRESENCE_MS = 30_000;
const LOSS_MS = 5000;
const MAX_UNANSWERED = 3;

export interface ModelDepartment {
  isAutomatic: boolean;
  wrapUpMs: number;
}

export interface ModelAgent {
  isConnected: boolean;
  isPaused: boolean;
  /** Of the only skill; 0 without it. */
  level: number;
  departments: Set<number>;
  wrapUpUntil: number | null;
}

export interface ModelCall {
  id: string;
  department: number;
  status: 'queued' | 'assigned' | 'active' | 'ended';
  agent: number | null;
  rank: number;
  /** The order of the joins. */
  number: number;
  joinedAt: number;
  /** Since when it waits in its department. */
  waitsSince: number;
  /** Whether it stands in the line of the other department, too, and whether it has ever done so. */
  overflow: 'none' | 'present' | 'ended';
  /** The level of the only skill that the call needs; 0 for none. */
  needs: number;
  /** The agent for whom the call is kept at first. */
  reserved: number | null;
  isConnected: boolean;
  seenUntil: number;
  /** Whether the customer asked to be called back, and has not taken it back. */
  isAway: boolean;
  ringAt: number;
  unanswered: number;
  /** Whether the last step made it free, or open to more agents, while offers were made. */
  isNews: boolean;
}

/** What an access link determines of its calls. */
export interface ModelLink {
  department: number;
  priority: number;
  /** The level of the only skill that the calls need; 0 for none. */
  needs: number;
  /** The agent for whom they are kept at first. */
  reserved: number | null;
}

export interface ModelOffer {
  id: string;
  call: string;
  agent: number;
  /** A supervisor forces one; that of a transfer is of an active call, with the agent who transfers it. */
  kind: 'line' | 'forced' | 'transfer';
  expiresAt: number;
  customerDeadline: number | null;
  /** How the last step ends it, as status and reason; empty while it is pending. */
  ends: string[];
}

export type AgentState = 'on_call' | 'offline' | 'offered' | 'wrap_up' | 'paused' | 'available';

/** The states in which an agent keeps a call that is reserved for them. */
const REACHABLE: AgentState[] = ['available', 'offered', 'on_call', 'wrap_up'];

export class RoutingModel {
  readonly calls = new Map<string, ModelCall>();
  readonly offers = new Map<string, ModelOffer>();
  /** Of all offers so far. */
  readonly offerIds = new Set<string>();
  stepCount = 0;
  now: number;
  private readonly excludedUntil = new Map<string, number>();

  constructor(
    private readonly beganAt: number,
    readonly departments: readonly ModelDepartment[],
    readonly agents: readonly ModelAgent[],
  ) {
    this.now = beganAt;
  }

  /** The calls that wait, in the order of the line. */
  waiting(): ModelCall[] {
    return [...this.calls.values()].filter(({ status }) => status === 'queued').toSorted(compareCalls);
  }

  callsWithAgent(agent: number): ModelCall[] {
    return [...this.calls.values()].filter((call) => call.agent === agent && call.status !== 'ended');
  }

  offerOf(call: ModelCall): ModelOffer | undefined {
    return [...this.offers.values()].find((offer) => offer.call === call.id);
  }

  offerTo(agent: number): ModelOffer | undefined {
    return [...this.offers.values()].find((offer) => offer.agent === agent);
  }

  stateOf(index: number): AgentState {
    const agent = this.agent(index);
    if (this.callsWithAgent(index).length > 0) return 'on_call';
    if (!agent.isConnected) return 'offline';
    if (this.offerTo(index)) return 'offered';
    if (agent.wrapUpUntil !== null) return 'wrap_up';
    return agent.isPaused ? 'paused' : 'available';
  }

  /** Whether the agent may be offered the waiting call, apart from their state. */
  canTake(index: number, call: ModelCall): boolean {
    const agent = this.agent(index);
    const reserved = call.joinedAt + RESERVATION_MS > this.now ? call.reserved : null;
    const isKept = reserved !== null && REACHABLE.includes(this.stateOf(reserved));
    const lines = this.servedLines(call);
    const isSuitable =
      lines.some((line) => agent.departments.has(line)) &&
      (agent.level >= call.needs || call.joinedAt + RELAX_MS <= this.now);
    return (
      lines.length > 0 &&
      !call.isAway &&
      call.seenUntil > this.now &&
      (reserved === index || (isSuitable && !isKept)) &&
      !((this.excludedUntil.get(`${call.id} ${index}`) ?? 0) > this.now)
    );
  }

  join(id: string, { department, priority, needs, reserved }: ModelLink): void {
    this.calls.set(id, {
      id,
      department,
      status: 'queued',
      agent: null,
      rank: this.now - priority * PRIORITY_STEP_MS,
      number: this.calls.size,
      joinedAt: this.now,
      waitsSince: this.now,
      overflow: 'none',
      needs,
      reserved,
      isConnected: false,
      seenUntil: this.now + PRESENCE_MS,
      isAway: false,
      ringAt: Infinity,
      unanswered: 0,
      isNews: false,
    });
  }

  /** The position that the customer is told: the better one of its lines. */
  positionOf(call: ModelCall): number {
    const waiting = this.waiting();
    const positions = this.linesOf(call).map(
      (line) => waiting.filter((other) => this.linesOf(other).includes(line)).indexOf(call) + 1,
    );
    return Math.min(...positions);
  }

  setPriority(call: ModelCall, priority: number): void {
    call.rank = call.joinedAt - priority * PRIORITY_STEP_MS;
  }

  /** Whether a supervisor can offer the call to any available agent. */
  canBeForced({ status, isAway, seenUntil, department }: ModelCall): boolean {
    return status === 'queued' && !isAway && seenUntil > this.now && this.department(department).isAutomatic;
  }

  /** A supervisor offers the call to another agent. */
  reassign(call: ModelCall): void {
    this.withdraw(this.offerOf(call), 'reassigned');
  }

  /** The departments in whose lines the call stands while it waits. */
  linesOf({ department, overflow }: ModelCall): number[] {
    return overflow === 'present' ? [department, 1 - department] : [department];
  }

  /** Those that offer calls. */
  servedLines(call: ModelCall): number[] {
    return this.linesOf(call).filter((line) => this.department(line).isAutomatic);
  }

  see(call: ModelCall): void {
    // Several customers poll at the same time, so that a later call may be free before an earlier one.
    if (call.seenUntil <= this.now) call.isNews = true;
    call.seenUntil = this.now + PRESENCE_MS;
    const offer = this.offerOf(call);
    if (offer) offer.customerDeadline = null;
  }

  /** The customer asks to be called back. */
  goAway(call: ModelCall): void {
    call.isAway = true;
    this.withdraw(this.offerOf(call), 'customer_absent');
  }

  /** The customer takes the callback back, which shows that they are there. */
  comeBack(call: ModelCall): void {
    call.isAway = false;
    call.isNews = true;
    call.seenUntil = call.isConnected ? Infinity : this.now + PRESENCE_MS;
  }

  connectCustomer(call: ModelCall): void {
    call.isConnected = true;
    if (call.status !== 'queued') return;
    call.seenUntil = Infinity;
    const offer = this.offerOf(call);
    if (offer) offer.customerDeadline = null;
  }

  disconnectCustomer(call: ModelCall): void {
    call.isConnected = false;
    if (call.status !== 'queued') return;
    call.seenUntil = -Infinity;
    const offer = this.offerOf(call);
    if (offer) offer.customerDeadline = this.now + LOSS_MS;
  }

  /** @param status `active` if the agent starts the call, too */
  give(call: ModelCall, agent: number, status: 'assigned' | 'active'): void {
    this.withdraw(this.offerOf(call), this.offerOf(call)?.agent === agent ? 'agent_busy' : 'call_taken');
    this.withdraw(this.offerTo(agent), 'agent_busy');
    this.take(call, agent, status);
  }

  /** After an accepted offer, or by hand. */
  take(call: ModelCall, agent: number, status: 'assigned' | 'active'): void {
    Object.assign(call, { agent, status, ringAt: status === 'assigned' ? this.now + RING_MS : Infinity });
    this.agent(agent).wrapUpUntil = null;
  }

  cancel(call: ModelCall): void {
    this.withdraw(this.offerOf(call), 'customer_left');
    this.leave(call, 'ended');
  }

  complete(call: ModelCall): void {
    this.withdraw(this.offerOf(call), 'call_ended');
    this.wrapUp(call);
    this.leave(call, 'ended');
  }

  /** To the other department. */
  transfer(call: ModelCall): void {
    this.withdraw(this.offerOf(call), 'reassigned');
    this.wrapUp(call);
    this.leave(call, 'queued');
    if (call.overflow === 'present') call.overflow = 'ended';
    Object.assign(call, {
      department: 1 - call.department,
      needs: 0,
      reserved: null,
      waitsSince: this.now,
    });
  }

  /** An active call gets the agent to whom it was offered. */
  takeOver(call: ModelCall, agent: number): void {
    this.wrapUp(call);
    this.take(call, agent, 'active');
  }

  connectAgent(index: number): void {
    this.agent(index).isConnected = true;
  }

  disconnectAgent(index: number): void {
    this.agent(index).isConnected = false;
    this.withdraw(this.offerTo(index), 'agent_offline');
  }

  pause(index: number): void {
    this.agent(index).isPaused = true;
    this.withdraw(this.offerTo(index), 'agent_paused');
  }

  extendWrapUp(index: number, ms: number): void {
    const agent = this.agent(index);
    agent.wrapUpUntil = (agent.wrapUpUntil ?? this.now) + ms;
  }

  setMember(index: number, department: number, isMember: boolean): void {
    const { departments } = this.agent(index);
    if (isMember) departments.add(department);
    else departments.delete(department);
    const offer = this.offerTo(index);
    if (offer && !isMember) this.withdrawInvalid(offer);
  }

  setAutomatic(department: number, isAutomatic: boolean): void {
    this.department(department).isAutomatic = isAutomatic;
    for (const offer of this.offers.values()) {
      if (!isAutomatic) this.withdrawInvalid(offer);
    }
  }

  /** Lets time pass: deadlines take effect. */
  advance(ms: number): void {
    const before = this.now;
    this.now += ms;
    for (const offer of this.offers.values()) this.expire(offer);
    for (const call of this.calls.values()) {
      for (const end of [call.joinedAt + RELAX_MS, call.joinedAt + RESERVATION_MS]) {
        if (end > before && end <= this.now) call.isNews = true;
      }
      if (call.ringAt <= this.now) this.missRing(call);
      this.letOverflow(call);
    }
    for (const agent of this.agents) {
      if (agent.wrapUpUntil !== null && agent.wrapUpUntil <= this.now) agent.wrapUpUntil = null;
    }
  }

  /** Records that an offer was made. @param expiresAt ISO 8601 */
  offer(id: string, offer: Pick<ModelOffer, 'call' | 'agent' | 'kind'>, expiresAt: string): void {
    this.offerIds.add(id);
    this.offers.set(id, {
      ...offer,
      id,
      expiresAt: Date.parse(expiresAt),
      customerDeadline: null,
      ends: [],
    });
  }

  /** Records how an offer has ended. @param end one of its `ends`, or another one by the agent */
  end(offer: ModelOffer, end: string): void {
    this.offers.delete(offer.id);
    this.call(offer.call).isNews = true;
    if (end === 'expired' && offer.kind !== 'transfer') this.agent(offer.agent).isPaused = true;
    if (end === 'expired' || end === 'declined') {
      this.excludedUntil.set(`${offer.call} ${offer.agent}`, this.now + EXCLUSION_MS);
    }
  }

  endExclusionsOf(index: number): void {
    for (const key of this.excludedUntil.keys()) {
      if (key.endsWith(` ${index}`)) this.excludedUntil.delete(key);
    }
  }

  isMember(index: number, department: number): boolean {
    return this.agent(index).departments.has(department);
  }

  /** How much time has passed. */
  get duration(): number {
    return this.now - this.beganAt;
  }

  agent(index: number): ModelAgent {
    return this.agents[index];
  }

  department(index: number): ModelDepartment {
    return this.departments[index];
  }

  call(id: string): ModelCall {
    return this.calls.get(id) as ModelCall;
  }

  private withdraw(offer: ModelOffer | undefined, reason: string): void {
    if (offer && offer.ends.length === 0) offer.ends = [`withdrawn ${reason}`];
  }

  /** After a change of members or departments. */
  private withdrawInvalid(offer: ModelOffer): void {
    if (offer.kind === 'transfer') return;
    const call = this.call(offer.call);
    const lines = this.servedLines(call);
    const isMember = lines.some((line) => this.isMember(offer.agent, line));
    if (lines.length === 0) this.withdraw(offer, 'department_changed');
    // Nor need be the agent whom a supervisor chose, or for whom the call was reserved, also after that time.
    else if (offer.kind === 'line' && !isMember && call.reserved !== offer.agent)
      this.withdraw(offer, 'not_a_member');
  }

  private letOverflow(call: ModelCall): void {
    const isDue = call.status === 'queued' && call.waitsSince + OVERFLOW_SECONDS * 1000 <= this.now;
    if (!isDue || call.overflow !== 'none') return;
    call.overflow = 'present';
    call.isNews = true;
  }

  private expire(offer: ModelOffer): void {
    const { isConnected, seenUntil } = this.call(offer.call);
    const isLost = offer.customerDeadline !== null && offer.customerDeadline <= this.now;
    const isUnseen =
      offer.kind !== 'transfer' && offer.customerDeadline === null && !isConnected && seenUntil <= this.now;
    const isExpired = offer.expiresAt <= this.now;
    const isLostFirst = isLost && (offer.customerDeadline ?? 0) < offer.expiresAt;
    if (isExpired && !isLostFirst) offer.ends.push('expired');
    if (isLostFirst || isUnseen) offer.ends.push('withdrawn customer_absent');
  }

  private missRing(call: ModelCall): void {
    call.unanswered += 1;
    this.leave(call, call.unanswered < MAX_UNANSWERED ? 'queued' : 'ended');
    call.isNews = true;
  }

  private leave(call: ModelCall, status: 'queued' | 'ended'): void {
    Object.assign(call, { status, agent: null, ringAt: Infinity });
    call.seenUntil = call.isConnected ? Infinity : -Infinity;
  }

  private wrapUp({ agent, department }: ModelCall): void {
    const { wrapUpMs } = this.department(department);
    if (agent === null || wrapUpMs === 0) return;
    const working = this.agent(agent);
    working.wrapUpUntil = Math.max(working.wrapUpUntil ?? 0, this.now + wrapUpMs);
  }
}

/** The order of the line. */
export function compareCalls(one: ModelCall, other: ModelCall): number {
  return one.rank === other.rank ? one.number - other.number : one.rank - other.rank;
}
