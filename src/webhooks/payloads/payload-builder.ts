import { Injectable } from '@nestjs/common';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import type { DomainEvent } from '../../platform/events/domain-event';
import { customerIdOf, payloadData, type StoredRecord } from './payload-data';
import { statementFor } from './payload-statements';
import type { WebhookEvent, WebhookPayload } from './webhook-event-types';

export interface EventPayload {
  event: DomainEvent;
  payload: WebhookPayload;
  /** The customer whose personal data the payload contains. */
  customer_id: string | null;
}

/** Builds the payloads of events from the stored records, as the transaction sees them. */
@Injectable()
export class PayloadBuilder {
  /**
   * Runs one statement per kind of record, however many events there are.
   * @param events events of this tenant whose types are in WEBHOOK_EVENTS
   * @returns payloads in the order of the events
   */
  async build(tx: Transaction, tenantId: string, events: readonly DomainEvent[]): Promise<EventPayload[]> {
    const records = await this.recordsOf(tx, tenantId, events);
    return events.map((event) => {
      const record = records.get(keyOf(event.subject_type, event.subject_id));
      const data = payloadData(event, record);
      const payload = { type: event.type as WebhookEvent, timestamp: event.occurred_at, data };
      return { event, payload, customer_id: customerIdOf(event, record) };
    });
  }

  /** The records by kind and id: one user can be the subject of events about the user and about the agent. */
  private async recordsOf(
    tx: Transaction,
    tenantId: string,
    events: readonly DomainEvent[],
  ): Promise<Map<string, StoredRecord>> {
    const byKind = Map.groupBy(events, ({ subject_type }) => subject_type);
    const found = await settleAll(
      [...byKind].map(async ([kind, ofKind]) => {
        const ids = [...new Set(ofKind.map(({ subject_id }) => subject_id))];
        const statement = statementFor(kind, tenantId, ids, ofKind[0]?.occurred_at ?? '');
        if (!statement) return [];
        const rows = await tx.query<StoredRecord & { id: string }>(statement.text, statement.values);
        return rows.map((row) => [keyOf(kind, row.id), formatTimes(row)] as const);
      }),
    );
    return new Map(found.flat());
  }
}

const keyOf = (kind: string, id: string): string => `${kind} ${id}`;

/** Formats times as the API does: ISO 8601. */
function formatTimes(row: StoredRecord): StoredRecord {
  const fields = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(fields) as StoredRecord;
}
