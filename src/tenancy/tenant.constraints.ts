import { invalidField } from '../platform/http/errors/api-error';
import type { ConstraintErrors } from '../platform/http/errors/constraint-error-registry';

/** The errors for violated constraints of tenants. */
export const TENANT_CONSTRAINTS: ConstraintErrors = {
  tenants_document_key: () => invalidField('document', 'is already in use'),
};
