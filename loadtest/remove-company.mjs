import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Removes the agents and departments of a test.
 * @param timeoutMs after which the test ends nevertheless
 * @param notice is told of what remains
 */
export async function removeCompany(company, timeoutMs, notice) {
  const end = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: end.signal }).then(
    () => {
      throw new Error(`they were not removed within ${timeoutMs / 1000} s`);
    },
    () => {},
  );
  try {
    await Promise.race([company.remove(), late]);
  } catch (error) {
    notice(`The agents and departments of the test remain: ${error.message}`);
  } finally {
    end.abort();
  }
}
