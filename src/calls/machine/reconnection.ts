import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { Connections } from '../../presence/connections';
import { Call } from '../call.entity';
import { type Participant, PeerDisconnected, PeerReconnected } from '../call.events';
import { isFinal } from './call.machine';

const COLUMNS = {
  customer: { connected: 'customer_connected_at', grace: 'customer_grace_deadline' },
  agent: { connected: 'agent_connected_at', grace: 'agent_grace_deadline' },
} as const;

/**
 * Comings and goings of those who are in a call. Only who once had a socket in it can be missing from it.
 * The call's row is locked by the caller, so that the sockets are counted by one transaction at a time.
 */
@Injectable()
export class Reconnection {
  constructor(
    private readonly connections: Connections,
    private readonly events: EventBus,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** A socket of the participant is there. Ends their grace period, or the customer's absence. */
  async joined(tx: Transaction, call: Call, participant: Participant): Promise<Call> {
    const { connected, grace } = COLUMNS[participant];
    const now = this.clock.now();
    const wasGone = call[grace] !== null;
    const changes: Partial<Call> = { [connected]: call[connected] ?? now, [grace]: null };
    if (participant === 'customer') changes.absence_deadline = null;
    if (wasGone) Object.assign(changes, { reconnected_at: now, version: call.version + 1 });
    const back = await this.save(tx, call, changes, now);
    if (wasGone) await this.events.record(tx, new PeerReconnected(back, now, participant));
    return back;
  }

  /** A socket of the participant is gone; matters when it was the last one of somebody who was there. */
  async left(tx: Transaction, call: Call, participant: Participant): Promise<Call> {
    const { connected, grace } = COLUMNS[participant];
    const userId = participant === 'agent' ? call.user_id : null;
    const isGone =
      !isFinal(call.status) &&
      call[connected] !== null &&
      call[grace] === null &&
      !(await this.connections.isInCall(tx, call.id, userId));
    if (!isGone) return call;
    const now = this.clock.now();
    if (call.status === 'active') return this.startGrace(tx, call, participant, now);
    if (call.status !== 'queued' || participant !== 'customer') return call;
    return this.save(tx, call, { absence_deadline: this.clock.in(this.config.queueAbsenceSeconds) }, now);
  }

  /** When a call becomes active, whoever was there before and is not now is missing from the start. */
  async checkBoth(tx: Transaction, call: Call): Promise<Call> {
    return this.left(tx, await this.left(tx, call, 'customer'), 'agent');
  }

  private async startGrace(tx: Transaction, call: Call, participant: Participant, now: Date): Promise<Call> {
    const seconds = this.config.reconnectGraceSeconds;
    const deadline = new Date(now.getTime() + seconds * 1000);
    const gone = await this.save(
      tx,
      call,
      { [COLUMNS[participant].grace]: deadline, disconnected_at: now, version: call.version + 1 },
      now,
    );
    const event = new PeerDisconnected(gone, now, participant, deadline.toISOString(), seconds);
    await this.events.record(tx, event);
    return gone;
  }

  private async save(tx: Transaction, call: Call, changes: Partial<Call>, now: Date): Promise<Call> {
    const all = { ...changes, updated_at: now };
    await tx.repository(Call).update({ id: call.id, tenant_id: call.tenant_id }, all);
    return { ...call, ...all };
  }
}
