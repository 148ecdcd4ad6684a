import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import type { DomainEvent } from '../platform/events/domain-event';
import { EventBus, type EventStore } from '../platform/events/event-bus';
import { requestContext } from '../platform/logging/request-context';
import { toAuditRow } from './audit-row';

/** Writes the audit log from each transaction's events, in that transaction, so both commit or neither does. */
@Injectable()
export class AuditTrail implements OnModuleInit, EventStore {
  constructor(private readonly events: EventBus) {}

  onModuleInit(): void {
    this.events.registerStore(this);
  }

  store(tx: Transaction, events: readonly DomainEvent[]): void {
    const context = requestContext.getStore();
    const rows = events.flatMap((event) => toAuditRow(event, context) ?? []);
    if (rows.length === 0) return;
    tx.send({
      text: `INSERT INTO audit_log
         (tenant_id, user_id, action, subject_type, subject_id, details, address, request_id, inserted_at)
       SELECT tenant_id, user_id, action, subject_type, subject_id, details, address, request_id, inserted_at
       FROM jsonb_to_recordset($1::jsonb) AS r (tenant_id uuid, user_id uuid, action text, subject_type text,
         subject_id uuid, details jsonb, address text, request_id text, inserted_at timestamptz)`,
      values: [JSON.stringify(rows)],
    });
  }
}
