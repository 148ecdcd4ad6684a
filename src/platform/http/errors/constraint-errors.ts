import { ConstraintErrorRegistry } from './constraint-error-registry';

export type { ConstraintErrors } from './constraint-error-registry';

/** The registry of the process. A violated constraint that is not in it is answered with 500. */
export const CONSTRAINT_ERRORS = new ConstraintErrorRegistry();
