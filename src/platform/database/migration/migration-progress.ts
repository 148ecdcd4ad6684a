/** How a migration reports to its caller, and how the caller ends it. */
export interface MigrationProgress {
  /** Gets a sentence for each step that took place, and for each wait. */
  log: (line: string) => void;
  /** Ends waits and retries; the step in progress is completed. */
  signal?: AbortSignal;
}

/** For tests and benchmarks, which prepare empty databases. */
export const SILENT: MigrationProgress = { log: () => {} };
