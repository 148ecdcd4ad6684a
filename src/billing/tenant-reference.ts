import { isUUID } from 'class-validator';

/** The id or the slug of a tenant. */
export interface TenantReference {
  tenant_id: string | null;
  tenant_slug: string | null;
}

/**
 * Reads a gateway's reference to a tenant, which is its id, or its slug in upper or lower case. A value that looks like
 * an id is one, since a company's slug may equal another tenant's id.
 */
export function tenantReference(reference: string | null): TenantReference {
  if (isUUID(reference)) return { tenant_id: reference, tenant_slug: null };
  return { tenant_id: null, tenant_slug: reference?.toLowerCase() ?? null };
}
