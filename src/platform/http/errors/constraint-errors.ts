import type { ApiError } from './api-error';

/** By constraint name, the error that a client gets for violating it. */
export type ConstraintErrors = Readonly<Record<string, () => ApiError>>;

const registered = new Map<string, () => ApiError>();

/**
 * Adds a context's constraints. Each context calls this once, when its module is loaded: a constraint that no
 * context registers is answered with 500.
 * @throws Error when the name is registered already
 */
export function registerConstraints(errors: ConstraintErrors): void {
  for (const [name, error] of Object.entries(errors)) {
    if (registered.has(name)) throw new Error(`The constraint ${name} is registered twice.`);
    registered.set(name, error);
  }
}

/** The error for violating a constraint; undefined for one that is not registered. */
export function constraintError(name: string): ApiError | undefined {
  return registered.get(name)?.();
}

/** The names of all registered constraints. */
export function registeredConstraints(): string[] {
  return [...registered.keys()];
}
