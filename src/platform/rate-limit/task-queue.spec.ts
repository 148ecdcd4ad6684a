import { TaskQueue } from './task-queue';

/** Adds tasks that run until they are finished by number. */
function setUp(maxRunning: number, maxWaiting: number, count: number) {
  const queue = new TaskQueue(maxRunning, maxWaiting);
  const started: number[] = [];
  const finish: ((fails?: boolean) => void)[] = [];
  const results = Array.from({ length: count }, (_, number) =>
    queue.run(
      () =>
        new Promise<number>((resolve, reject) => {
          started.push(number);
          finish[number] = (fails) => (fails ? reject(new Error('failed')) : resolve(number));
        }),
    ),
  );
  return { queue, started, finish, results };
}

describe('TaskQueue', () => {
  it('runs few tasks at a time, and the others in their order', async () => {
    const { started, finish, results } = setUp(2, 10, 4);
    expect(started).toEqual([0, 1]);
    finish[1]?.();
    await results[1];
    await Promise.resolve();
    expect(started).toEqual([0, 1, 2]);
    for (const number of [0, 2]) finish[number]?.();
    await Promise.all([results[0], results[2]]);
    finish[3]?.();
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  });

  it('continues after a task that fails', async () => {
    const { started, finish, results } = setUp(1, 10, 2);
    finish[0]?.(true);
    await expect(results[0]).rejects.toThrow('failed');
    await Promise.resolve();
    expect(started).toEqual([0, 1]);
    finish[1]?.();
    await results[1];
  });

  it('is full while the permitted number of tasks waits', async () => {
    const { queue, finish, results } = setUp(1, 2, 3);
    expect(queue.isFull).toBe(true);
    finish[0]?.();
    await results[0];
    expect(queue.isFull).toBe(false);
    await Promise.resolve();
    finish[1]?.();
    await results[1];
    await Promise.resolve();
    finish[2]?.();
    await results[2];
  });
});
