import { isUUID } from 'class-validator';
import type { DomainEvent } from '../platform/events/domain-event';
import type { RequestContext } from '../platform/logging/request-context';

/** A row of the audit log, as it is inserted. */
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
 * What the audit log keeps of an event that happened within `context`.
 * @returns undefined for an event that it takes no row of
 */
export function auditRow(event: DomainEvent, context: RequestContext | undefined): AuditRow | undefined {
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
    // A caller may choose any text for it, a name among them.
    request_id: isUUID(context?.request_id) ? (context?.request_id ?? null) : null,
    inserted_at: occurred_at,
  };
}
