import { Injectable } from '@nestjs/common';
import type { Call } from '../../calls/call.entity';
import { CallTransitions } from '../../calls/machine/call-transitions';
import { Reconnection } from '../../calls/machine/reconnection';
import { AssignableAgents } from '../../calls/staff/assignable-agents';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { Connections } from '../../presence/connections';
import type { Offer } from './offer.entity';

/** Hands an active call over to the agent who accepted its transfer. */
@Injectable()
export class AcceptTransfer {
  constructor(
    private readonly agents: AssignableAgents,
    private readonly connections: Connections,
    private readonly transitions: CallTransitions,
    private readonly reconnection: Reconnection,
  ) {}

  /**
   * The sockets of the former agent leave the call; any open socket of the new one connects them to it. The transaction
   * has locked the call, then the rows of both agents, and has ended the offer as accepted.
   * @returns the call after the transfer
   * @throws 422 invalid_transition unless the call is active, validation_failed for an agent who was deactivated
   */
  async accept(
    tx: Transaction,
    call: Call,
    { user_id, note }: Pick<Offer, 'user_id' | 'note'>,
  ): Promise<Call> {
    const [agent, present] = await settleAll([
      this.agents.lock(tx, call.tenant_id, user_id),
      this.connections.inCall(tx, call.id, user_id),
    ]);
    const connected = present.agent
      ? this.reconnection.agentConnected({ ...call, agent_connected_at: null })
      : {};
    const assignee = { ...agent, explicit: true };
    const move = { trigger: 'take_over', assignee, transfer_note: note } as const;
    const [takenOver] = await settleAll([
      this.transitions.apply(tx, call, move, connected),
      this.connections.leaveCall(tx, call.id, call.user_id ?? ''),
    ]);
    return takenOver;
  }
}
