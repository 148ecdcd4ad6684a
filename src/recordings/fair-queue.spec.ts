import { FairQueue } from './fair-queue';

/** A queue whose work ends when the test says so. */
function scene(concurrency: number) {
  const queue = new FairQueue(concurrency);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (key: string, name: string) =>
    queue.run(key, () => {
      started.push(name);
      const { promise, resolve } = Promise.withResolvers<string>();
      ends.set(name, () => resolve(name));
      return promise;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { queue, started, add, end };
}

it('runs one piece of work per key, so that another key does not wait for it', () => {
  const { started, add } = scene(2);
  for (const name of ['a1', 'a2', 'a3']) void add('a', name);
  void add('b', 'b1');
  expect(started).toEqual(['a1', 'b1']);
});

it('lets the keys take turns, however much work one of them has', async () => {
  const { started, add, end } = scene(1);
  for (const name of ['a1', 'a2', 'a3']) void add('a', name);
  void add('b', 'b1');
  void add('c', 'c1');
  void add('b', 'b2');
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name);
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('returns the result of the work, and continues after work that fails', async () => {
  const { queue, add, end } = scene(1);
  await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const next = add('a', 'a2');
  await end('a2');
  expect(await next).toBe('a2');
});

it('never runs more than its concurrency', async () => {
  const { started, add, end } = scene(2);
  for (const key of ['a', 'b', 'c', 'd']) void add(key, key);
  expect(started).toEqual(['a', 'b']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c']);
});

it('starts no work of a key that is paused, but that of others', async () => {
  const { queue, started, add, end } = scene(2);
  void add('a', 'a1');
  queue.pause('a', 10_000);
  // Long enough for a busy machine to come to the first expectation.
  queue.pause('a', 1000);
  expect(['a', 'b'].map((key) => queue.isPaused(key))).toEqual([true, false]);
  void add('a', 'a2');
  await end('a1');
  void add('b', 'b1');
  expect(started).toEqual(['a1', 'b1']);
  const deadline = performance.now() + 60_000;
  while (started.length < 3 && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(started).toEqual(['a1', 'b1', 'a2']);
  expect(queue.isPaused('a')).toBe(false);
});
