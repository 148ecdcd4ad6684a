const LONGEST_MS = 10_000;

/** Tries until `probe` gives something; a test that waits for a condition neither hangs nor sleeps too long. */
export async function until<T>(
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  complaint: () => string = () => 'the condition was never met',
  longestMs = LONGEST_MS,
): Promise<T> {
  const end = Date.now() + longestMs;
  for (;;) {
    const result = await probe();
    if (result) return result;
    if (Date.now() > end) throw new Error(complaint());
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
