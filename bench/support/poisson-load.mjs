// Requests that arrive independently of each other and of how fast they are answered, as those of many people do.

/**
 * @param rate of arrivals per second, on average; the times between them are exponentially distributed
 * @param seconds of arrivals
 * @param send returns the status of one request
 * @returns how many requests got each status, once all are answered
 */
export async function poissonLoad(rate, seconds, send) {
  const statuses = {};
  const pending = new Set();
  const count = (status) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const begin = performance.now();
  for (let at = begin; at < begin + seconds * 1000; at += (-Math.log(1 - Math.random()) * 1000) / rate) {
    const wait = at - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const request = send()
      .then(count, (error) => count(error.code))
      .finally(() => pending.delete(request));
    pending.add(request);
  }
  await Promise.all(pending);
  return statuses;
}
