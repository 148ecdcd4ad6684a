/** Only to end a test that would wait forever: a busy machine can be ten times slower. */
const DEFAULT_TIMEOUT_MS = 60_000;

const PROBE_INTERVAL_MS = 15;

/** Calls `probe` until it returns a truthy value, and returns that. @throws Error with the message after `timeoutMs` */
export async function until<T>(
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  message: () => string = () => 'the condition was never met',
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result) return result;
    if (Date.now() > end) throw new Error(message());
    await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS));
  }
}
