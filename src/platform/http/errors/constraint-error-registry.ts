import type { ApiError } from './api-error';

/** By constraint name, the error that a client gets for violating it. */
export type ConstraintErrors = Readonly<Record<string, () => ApiError>>;

/** Collects the constraint errors of all contexts. */
export class ConstraintErrorRegistry {
  private readonly errors = new Map<string, () => ApiError>();

  /**
   * Adds a context's constraints; its module calls this when it is loaded.
   * @throws Error when another error is registered for one of the names
   */
  register(errors: ConstraintErrors): void {
    for (const [name, error] of Object.entries(errors)) {
      if ((this.errors.get(name) ?? error) !== error) {
        throw new Error(`Two errors are registered for the constraint ${name}.`);
      }
      this.errors.set(name, error);
    }
  }

  /** The error for a violated constraint; undefined for one that no context registered. */
  errorFor(name: string): ApiError | undefined {
    return this.errors.get(name)?.();
  }

  /** The names of all registered constraints. */
  get names(): string[] {
    return [...this.errors.keys()];
  }
}

/** The registry of the process. A violated constraint that is not in it is answered with 500. */
export const CONSTRAINT_ERRORS = new ConstraintErrorRegistry();
