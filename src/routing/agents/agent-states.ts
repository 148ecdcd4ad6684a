import { Injectable } from '@nestjs/common';
import { type EndedWrapUp, WrapUpTimes } from '../../calls/machine/wrap-up-times';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { AgentLocks } from '../../presence/agent-locks';
import { AgentStateChanged, type AnnouncedState } from './agent.events';
import type { AgentWork } from './agent-work.rules';
import { ANNOUNCE_WORK, announcement } from './announcement';
import { PresencePeriods } from './presence-periods';

type AgentAfterWork = AnnouncedState & {
  /** Whether anything of the AnnouncedState changed. */
  is_changed: boolean;
} & (EndedWrapUp | { part_id: null });

/**
 * The view agent_states derives the state of an agent from their calls, sockets, offers, wrap-up and choice. Their row in
 * `presences` has the state that was announced last. Announce it after every change that may affect it. Each of these
 * methods sends its statements before it first awaits, so they take no round trip of their own beside others of the caller.
 */
@Injectable()
export class AgentStates {
  constructor(
    private readonly locks: AgentLocks,
    private readonly periods: PresencePeriods,
    private readonly events: EventBus,
    private readonly wrapUpTimes: WrapUpTimes,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the agents, and records an event and a new period for each whose state, reason or presence differs from the one
   * announced last.
   * @param since when the states changed, if it was noticed later
   * @returns the events
   */
  announce(
    tx: Transaction,
    tenantId: string,
    userIds: readonly string[],
    since?: Date,
  ): Promise<AgentStateChanged[]> {
    this.locks.lock(tx, userIds);
    return this.announceLocked(tx, tenantId, userIds, since);
  }

  /** As announce, for agents whom the transaction has locked. */
  async announceLocked(
    tx: Transaction,
    tenantId: string,
    userIds: readonly string[],
    since?: Date,
  ): Promise<AgentStateChanged[]> {
    if (userIds.length === 0) return [];
    const at = since ?? this.clock.now();
    const { text, values } = announcement(userIds, at);
    return this.record(tx, tenantId, await tx.query<AnnouncedState>(text, values), at);
  }

  /**
   * As announceLocked, together with what calls begin or end: the wrap-up of an agent, and the number of calls that they
   * started today.
   * @param now when the calls changed
   */
  async announceWork(
    tx: Transaction,
    tenantId: string,
    work: readonly AgentWork[],
    now: Date,
  ): Promise<AgentStateChanged[]> {
    if (work.length === 0) return [];
    const agents = await tx.query<AgentAfterWork>(ANNOUNCE_WORK, [JSON.stringify(work), now]);
    this.wrapUpTimes.record(
      tx,
      agents.filter((agent) => agent.part_id !== null),
    );
    return this.record(
      tx,
      tenantId,
      agents.filter(({ is_changed }) => is_changed),
      now,
    );
  }

  private async record(
    tx: Transaction,
    tenantId: string,
    announced: readonly AnnouncedState[],
    since: Date,
  ): Promise<AgentStateChanged[]> {
    this.periods.switchTo(tx, tenantId, announced, since);
    const at = this.clock.now().toISOString();
    const events = announced.map((agent) => new AgentStateChanged(tenantId, at, agent));
    for (const event of events) await this.events.record(tx, event);
    return events;
  }
}
