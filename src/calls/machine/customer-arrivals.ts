import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import type { Call } from '../call.entity';
import { CustomerPresenceChanged, PeerReconnected } from '../participant.events';
import { PRESENT } from './absence';
import { CallWriter } from './call-writer';

const isMissing = (call: Call): boolean => call.customer_grace_deadline !== null;

/** As Reconnection.connected, for customers of several calls of one tenant, which take as many statements as one. */
@Injectable()
export class CustomerArrivals {
  constructor(
    private readonly events: EventBus,
    private readonly writer: CallWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * Sockets of the customers connected: ends their absence or their grace periods.
   * @param calls which the transaction has locked, and which have not ended
   * @returns the calls in which this ended a grace period, with their new versions
   */
  async record(tx: Transaction, tenantId: string, calls: Call[]): Promise<Call[]> {
    const now = this.clock.now();
    const idsOf = (matches: (call: Call) => boolean) => calls.filter(matches).map(({ id }) => id);
    const isFirst = (call: Call) => !isMissing(call) && call.customer_connected_at === null;
    const isBack = (call: Call) =>
      !isMissing(call) && !isFirst(call) && (call.absent_since !== null || call.absence_deadline !== null);
    const first = { customer_connected_at: now, ...PRESENT };
    const reconnected = { customer_grace_deadline: null, reconnected_at: now, ...PRESENT };
    // The connection pipelines these statements, so that all of them take one round trip.
    const returning = this.writer.saveAllVisible(tx, tenantId, idsOf(isMissing), reconnected, now);
    await settleAll([
      this.writer.saveAllInternal(tx, tenantId, idsOf(isFirst), first, now),
      this.writer.saveAllInternal(tx, tenantId, idsOf(isBack), PRESENT, now),
      returning,
    ]);
    for (const call of calls) {
      if (!isMissing(call) && call.absent_since !== null) {
        await this.events.record(tx, new CustomerPresenceChanged(call, now));
      }
    }
    const returned = await returning;
    for (const call of returned) await this.events.record(tx, new PeerReconnected(call, now, 'customer'));
    return returned;
  }
}
