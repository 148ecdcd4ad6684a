import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import type { DomainEvent } from '../../platform/events/domain-event';
import { customerOf, dataOf, type StoredRecord } from './payload-data';
import { statementFor } from './payload-statements';
import type { WebhookEvent, WebhookPayload } from './webhook-event-types';

export interface EventPayload {
  event: DomainEvent;
  payload: WebhookPayload;
  /** Whose personal data the payload holds. */
  customer_id: string | null;
}

/** Makes payloads of events, from what they are about as the transaction has left it. */
@Injectable()
export class PayloadBuilder {
  /**
   * One statement for each kind of record, however many events there are.
   * @param events of this tenant, all of them with types of WEBHOOK_EVENTS
   * @returns in the order of the events
   */
  async build(tx: Transaction, tenantId: string, events: readonly DomainEvent[]): Promise<EventPayload[]> {
    const records = await this.recordsOf(tx, tenantId, events);
    return events.map((event) => {
      const record = records.get(event.subject_id);
      const data = dataOf(event, record);
      const payload = { type: event.type as WebhookEvent, timestamp: event.occurred_at, data };
      return { event, payload, customer_id: customerOf(event, record) };
    });
  }

  /** By their ids, which no two records share, whatever their kind. */
  private async recordsOf(
    tx: Transaction,
    tenantId: string,
    events: readonly DomainEvent[],
  ): Promise<Map<string, StoredRecord>> {
    const byKind = Map.groupBy(events, ({ subject_type }) => subject_type);
    const found = await Promise.all(
      [...byKind].map(async ([kind, ofKind]) => {
        const ids = [...new Set(ofKind.map(({ subject_id }) => subject_id))];
        const statement = statementFor(kind, tenantId, ids, ofKind[0]?.occurred_at ?? '');
        return statement ? tx.query<StoredRecord & { id: string }>(statement.text, statement.values) : [];
      }),
    );
    return new Map(found.flat().map((row) => [row.id, onWire(row)]));
  }
}

/** Moments as they go over the wire. */
function onWire(row: StoredRecord): StoredRecord {
  const fields = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(fields) as StoredRecord;
}
