import { type ApiError, unprocessable } from '../platform/http/errors/api-error';
import type { ConstraintErrors } from '../platform/http/errors/constraint-error-registry';

/** 422: what is to be deleted is under a legal hold. */
export const legalHold = (): ApiError =>
  unprocessable('legal_hold', 'This data is under a legal hold and cannot be deleted.');

/** The errors for deleting what is held: the foreign keys of the holds refuse it, also when both happen at the same time. */
export const LEGAL_HOLD_CONSTRAINTS: ConstraintErrors = {
  legal_holds_tenant_id_fkey: legalHold,
  legal_holds_customer_id_fkey: legalHold,
};
