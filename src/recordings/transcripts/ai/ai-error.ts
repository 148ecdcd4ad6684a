/** Why an attempt failed, if it was not the HTTP status of a response. */
export type AiErrorCode =
  | 'invalid_answer'
  | 'not_allowed'
  | 'not_configured'
  | 'recording_missing'
  | 'storage_unavailable'
  | 'timeout'
  | 'unreachable';

/** An attempt failed for a known reason. */
export class AiError extends Error {
  constructor(
    readonly code: AiErrorCode,
    /** Detail for the log; never text from the server. */
    readonly reason = '',
  ) {
    super(code);
    this.name = 'AiError';
  }
}

/** The connection failed or was closed early. @param error from Node */
export function connectionError(error: unknown): AiError {
  const { code } = error as { code?: unknown };
  return new AiError('unreachable', typeof code === 'string' ? code : '');
}
