/** Why a provider gave no result, where it is not its HTTP status that says so. */
export type AiFailureCode =
  | 'invalid_answer'
  | 'not_allowed'
  | 'not_configured'
  | 'recording_missing'
  | 'storage_unavailable'
  | 'timeout'
  | 'unreachable';

/** A try that gave no result, for a reason that we know. */
export class AiFailure extends Error {
  constructor(
    readonly code: AiFailureCode,
    /** For the log. */
    readonly reason = '',
  ) {
    super(code);
    this.name = 'AiFailure';
  }
}

/** A connection that was not to be had, or broke off. @param error of Node */
export function unreachable(error: unknown): AiFailure {
  const { code } = error as { code?: unknown };
  return new AiFailure('unreachable', typeof code === 'string' ? code : '');
}
