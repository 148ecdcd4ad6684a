import { SocketError } from './socket-error';
import { spread } from './socket-retry';

/** How long the last repetitions wait for an answer. */
const MAX_TIMEOUT_MS = 32_000;
/** Answers, and missing ones, after which the same request may succeed. */
const PASSING = new Set(['timeout', 'unavailable', 'rate_limited']);

/**
 * Repeats a request while the service does not answer or is too busy, and waits twice as long each time.
 * @param send rejects with a SocketError
 * @param payload of the next repetition, or null when the answer is no longer needed
 * @param timeoutMs of the first attempt
 * @param pause waits so long, or until the connection ends
 * @returns the answer
 * @throws SocketError when repeating does not help, such as without a connection
 */
export async function untilAnswered(
  send: (payload: unknown, timeoutMs: number) => Promise<unknown>,
  payload: () => unknown,
  timeoutMs: number,
  pause: (ms: number) => Promise<unknown>,
): Promise<unknown> {
  for (let patienceMs = timeoutMs; ; patienceMs = Math.min(2 * patienceMs, MAX_TIMEOUT_MS)) {
    const wanted = payload();
    if (wanted === null) throw new SocketError('disconnected', 'The request is no longer needed.');
    try {
      return await send(wanted, patienceMs);
    } catch (error) {
      if (!(error instanceof SocketError) || !PASSING.has(error.code)) throw error;
      // A missing answer has taken this time already.
      if (error.code !== 'timeout') await pause(spread(patienceMs));
    }
  }
}
