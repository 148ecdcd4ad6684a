import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import { EventBus } from '../../platform/events/event-bus';
import { Connections } from '../../presence/connections';
import type { Call } from '../call.entity';
import { ensureNotErased } from '../erased-call';
import { CallTransitions } from '../machine/call-transitions';
import { UpdateCall } from '../machine/update-call';
import { actorOf } from './actor';
import { AssignableAgents } from './assignable-agents';
import { AssignCall } from './assign-call';
import { CallAccess, visibleCalls } from './call-access';
import { TakeCall } from './take-call';

/** The state of the agent changes with these actions. Expected together, its webhooks are read with those of the call. */
const AGENT_EVENT = 'agent.state_changed';

/** Assigning, starting and completing calls. */
@Injectable()
export class StaffCallActions {
  constructor(
    private readonly database: Database,
    private readonly access: CallAccess,
    private readonly agents: AssignableAgents,
    private readonly assigning: AssignCall,
    private readonly taking: TakeCall,
    private readonly transitions: CallTransitions,
    private readonly changes: UpdateCall,
    private readonly connections: Connections,
    private readonly events: EventBus,
  ) {}

  /**
   * Assigns the call to an agent.
   * @param assigneeId the caller when null
   * @throws 404; 422 if the agent may not take calls, or the call's state does not allow it
   */
  assign(user: Principal, callId: string, assigneeId: string | null): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      this.events.expect(tx, user.tenant_id, ['call.assigned', AGENT_EVENT]);
      const [call, agent] = await settleAll([
        this.access.lockVisible(tx, user, callId),
        this.agents.lock(tx, user.tenant_id, assigneeId ?? user.user_id),
      ]);
      const assigned = await this.assigning.to(tx, user, call, agent, assigneeId !== null);
      const isHandover = call.user_id !== null && call.user_id !== assigned.user_id;
      if (isHandover) this.connections.leaveCall(tx, callId, call.user_id ?? '');
      return assigned;
    });
  }

  /** @throws 403 plan_limit, 404, 422 */
  start(user: Principal, callId: string): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      this.events.expect(tx, user.tenant_id, ['call.started', AGENT_EVENT]);
      const visible = visibleCalls(user).and('c.id = ?', callId);
      return this.taking.start(tx, user, await this.taking.lock(tx, user, callId, visible));
    });
  }

  /**
   * Completes the call. Of one that is completed already, also because the customer has hung up, only the notes are stored.
   * @throws 404, 422
   */
  complete(user: Principal, callId: string, notes: string | null): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      this.events.expect(tx, user.tenant_id, ['call.completed', AGENT_EVENT]);
      this.assigning.lockReferences(tx, user.tenant_id, callId);
      const [locked, agent] = await settleAll([
        this.access.lockVisible(tx, user, callId),
        this.assigning.lockAgent(tx, user, callId),
      ]);
      const call = await this.assigning.ifQueued(tx, user, locked, agent);
      const move = { trigger: 'complete', actor: actorOf(user), notes } as const;
      const completed = await this.transitions.apply(tx, call, move);
      if (notes === null || notes === completed.notes) return completed;
      ensureNotErased(completed);
      return this.changes.write(tx, completed, { notes });
    });
  }
}
