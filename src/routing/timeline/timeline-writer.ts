import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import type { DomainEvent } from '../../platform/events/domain-event';
import { EventBus, type EventStore } from '../../platform/events/event-bus';
import { timelineEntryOf } from './timeline-entries.rules';

/** Writes the timelines of calls from each transaction's events, in that transaction, so both commit or neither does. */
@Injectable()
export class TimelineWriter implements OnModuleInit, EventStore {
  constructor(private readonly events: EventBus) {}

  onModuleInit(): void {
    this.events.registerStore(this);
  }

  /** Appends one insertion of all entries to that of the events: every change of a call pays for it. */
  store(tx: Transaction, events: readonly DomainEvent[]): void {
    const entries = events.flatMap((event) => {
      const entry = timelineEntryOf(event);
      return entry ? { tenant_id: event.tenant_id, ...entry } : [];
    });
    if (entries.length === 0) return;
    tx.send({
      text: `INSERT INTO call_timeline (tenant_id, call_id, at, type, user_id, details)
        SELECT tenant_id, call_id, at, type, user_id, details
        FROM jsonb_to_recordset($1::jsonb) AS e (tenant_id uuid, call_id uuid, at timestamptz, type text, user_id uuid,
          details jsonb)`,
      values: [JSON.stringify(entries)],
    });
  }
}
