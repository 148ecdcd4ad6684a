import { isUUID } from 'class-validator';
import type { DomainEvent } from '../platform/events/domain-event';
import type { RequestContext } from '../platform/logging/request-context';

/** A row of the audit log to insert. */
export interface AuditRow {
  tenant_id: string;
  user_id: string | null;
  action: string;
  subject_type: string;
  subject_id: string;
  details: Record<string, unknown>;
  address: string | null;
  request_id: string | null;
  inserted_at: string;
}

/**
 * The row of the audit log for an event that was recorded within `context`.
 * @returns undefined for an event that is not audited
 */
export function toAuditRow(event: DomainEvent, context: RequestContext | undefined): AuditRow | undefined {
  const { audited, tenant_id, type, subject_type, subject_id, details, occurred_at } = event;
  const actor = context?.actor?.tenant_id === tenant_id ? context.actor : undefined;
  if (audited === 'never' || (audited === 'by_actor' && !actor)) return undefined;
  return {
    tenant_id,
    user_id: actor?.user_id ?? null,
    action: type,
    subject_type,
    subject_id,
    details,
    address: context?.address ?? null,
    // Clients can send any text as a request id, even personal data, which must not enter the log.
    request_id: isUUID(context?.request_id) ? (context?.request_id ?? null) : null,
    inserted_at: occurred_at,
  };
}
