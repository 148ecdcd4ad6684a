/** @returns the value of the metric vcq_redis_up, or undefined without it */
export async function redisUp(url: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = /^vcq_redis_up (\d)$/m.exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}
