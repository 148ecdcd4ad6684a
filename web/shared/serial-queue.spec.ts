import { SerialQueue } from './serial-queue';

describe('SerialQueue', () => {
  it('begins a task when the one before has ended, also if that failed', async () => {
    const queue = new SerialQueue();
    const order: string[] = [];
    const task = (name: string, fails = false) =>
      queue.run(async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([task('a', true), task('b'), task('c')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });
});
