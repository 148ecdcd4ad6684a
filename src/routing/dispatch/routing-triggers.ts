import { Injectable } from '@nestjs/common';
import { CallEnded, CallQueued, CallRequeued, CallTransferred, CallUpdated } from '../../calls/call.events';
import { CustomerPresenceChanged } from '../../calls/participant.events';
import { CallbackChanged } from '../../calls/callbacks/callback.events';
import { isAwaited } from '../../calls/callbacks/callback.machine';
import { CustomerReturned, LaneChanged } from '../../calls/line/line.events';
import { DepartmentUpdated } from '../../departments/department.events';
import { MembershipsChanged } from '../../identity/users/user.events';
import { AfterCommit } from '../../platform/events/listeners';
import { AgentStateChanged } from '../agents/agent.events';
import { isReachable } from '../offers/eligibility.rules';
import { OfferEnded } from '../offers/offer.events';
import { UserSkillsChanged } from '../skills/skill.events';
import { AutomaticDepartments } from './automatic-departments';
import { ReservedCalls } from './reserved-calls';
import { RoutingDispatcher } from './routing-dispatcher';

/** A call that may be offered now. */
type LineNews = Pick<CallQueued, 'tenant_id' | 'call_id'>;

/** Translates events into the question which calls may be offered now. */
@Injectable()
export class RoutingTriggers {
  constructor(
    private readonly dispatcher: RoutingDispatcher,
    private readonly departments: AutomaticDepartments,
    private readonly reserved: ReservedCalls,
  ) {}

  @AfterCommit(CallQueued)
  onQueued(event: CallQueued): Promise<void> {
    return this.serveCall(event, event.lines);
  }

  @AfterCommit(CallRequeued)
  onRequeued(event: CallRequeued): Promise<void> {
    return this.serveCall(event, event.lines);
  }

  /** A call that waits again leaves a place of the plan; one that another agent took over does not. */
  @AfterCommit(CallTransferred)
  async onTransferred(event: CallTransferred): Promise<void> {
    if (event.status !== 'queued') return;
    this.dispatcher.wakeIfLimited(event.tenant_id);
    await this.serveCall(event, event.lines);
  }

  /** The rank of a call, its skills or its priority may have changed. */
  @AfterCommit(CallUpdated)
  async onUpdated(event: CallUpdated): Promise<void> {
    if (event.status === 'queued') await this.serveCall(event, event.lines);
  }

  @AfterCommit(CustomerPresenceChanged)
  onPresenceChanged(event: CustomerPresenceChanged): Promise<void> {
    return this.serveCall(event, event.lines);
  }

  /** The customer is back, or waits on without the callback. */
  @AfterCommit(CallbackChanged)
  async onCallbackChanged(event: CallbackChanged): Promise<void> {
    if (event.status === 'queued' && !isAwaited(event.callback_status))
      await this.serveCall(event, event.lines);
  }

  @AfterCommit(CustomerReturned)
  onReturned(event: CustomerReturned): Promise<void> {
    return this.serveCall(event, [event.department_id]);
  }

  @AfterCommit(LaneChanged)
  onLaneChanged(event: LaneChanged): Promise<void> {
    return this.serveCall(event, [event.department_id]);
  }

  /** Its call is free again, unless it was accepted; the agent's state is an event of its own. */
  @AfterCommit(OfferEnded)
  async onOfferEnded(event: OfferEnded): Promise<void> {
    this.dispatcher.wakeIfLimited(event.tenant_id);
    const isFree = event.status !== 'accepted' && event.kind !== 'transfer';
    if (isFree) this.dispatcher.wake(event.tenant_id, { call_ids: [event.call_id] });
  }

  @AfterCommit(CallEnded)
  async onCallEnded({ tenant_id }: CallEnded): Promise<void> {
    this.dispatcher.wakeIfLimited(tenant_id);
  }

  @AfterCommit(AgentStateChanged)
  async onAgentStateChanged(event: AgentStateChanged): Promise<void> {
    const { tenant_id, subject_id, state, previous_state } = event;
    if (state === 'available') this.serveAgent(tenant_id, subject_id);
    else if (isReachable(previous_state) && !isReachable(state)) await this.release(tenant_id, subject_id);
  }

  @AfterCommit(MembershipsChanged)
  async onMembershipsChanged({ tenant_id, subject_id }: MembershipsChanged): Promise<void> {
    this.serveAgent(tenant_id, subject_id);
  }

  @AfterCommit(UserSkillsChanged)
  async onSkillsChanged({ tenant_id, subject_id }: UserSkillsChanged): Promise<void> {
    this.serveAgent(tenant_id, subject_id);
  }

  /** It may have become active or automatic. */
  @AfterCommit(DepartmentUpdated)
  async onDepartmentUpdated({ tenant_id, subject_id }: DepartmentUpdated): Promise<void> {
    if (await this.departments.has(subject_id)) this.dispatcher.wake(tenant_id, { all: true });
  }

  /** Calls are kept for an agent only while the agent is reachable. */
  private async release(tenantId: string, userId: string): Promise<void> {
    const callIds = await this.reserved.of(tenantId, userId);
    if (callIds.length > 0) this.dispatcher.wake(tenantId, { call_ids: callIds });
  }

  private serveAgent(tenantId: string, userId: string): void {
    this.dispatcher.wake(tenantId, { user_ids: [userId] });
  }

  /** @param lines the departments in whose lines the call stands */
  private async serveCall({ tenant_id, call_id }: LineNews, lines: string[]): Promise<void> {
    const automatic = await Promise.all(lines.map((id) => this.departments.has(id)));
    if (automatic.includes(true)) this.dispatcher.wake(tenant_id, { call_ids: [call_id] });
  }
}
