import type { OutboundResponse } from '../outbound/outbound-client';
import { decodeBody } from '../outbound/outbound-request';

/** The result of one attempt to deliver, with fields named as in the attempt log. */
export interface AttemptResult {
  /** Null if no response arrived. */
  response_status: number | null;
  /** The first KiB of the body; null if neither that much nor the whole body arrived. */
  response_body: string | null;
  /** The Retry-After header as received. */
  retry_after: string | null;
  /**
   * Why the response is missing, incomplete or a redirect, in a short phrase without addresses; null for all
   * others.
   */
  error: string | null;
  duration_ms: number;
}

export function attemptResultOf(response: OutboundResponse): AttemptResult {
  const { status, headers, body, error, durationMs } = response;
  return {
    response_status: status,
    response_body: body && decodeBody(body),
    retry_after: headers['retry-after'] ?? null,
    error,
    duration_ms: durationMs,
  };
}
