/** The completed steps of a startup, each with its rollback, and whether a signal has aborted the startup. */
export class StartupSequence {
  private readonly rollbacks: (() => Promise<void>)[] = [];
  private readonly abortion = new AbortController();

  /** Ends waits within a step. */
  get signal(): AbortSignal {
    return this.abortion.signal;
  }

  get isAborted(): boolean {
    return this.signal.aborted;
  }

  /** Lets the startup end after the step in progress. */
  abort(): void {
    this.abortion.abort();
  }

  /** Registers the rollback of the step that has just completed. */
  onRollback(rollback: () => Promise<void>): void {
    this.rollbacks.push(rollback);
  }

  /** Call between two steps. @throws StartupAborted if a signal arrived during the previous one */
  throwIfAborted(): void {
    if (this.isAborted) throw new StartupAborted();
  }

  /**
   * Rolls all completed steps back, the last one first. A rollback that fails does not prevent the others.
   * @throws AggregateError with the failures
   */
  async rollback(): Promise<void> {
    const failures: unknown[] = [];
    for (const rollback of this.rollbacks.toReversed()) {
      await rollback().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
  }
}

class StartupAborted extends Error {}
