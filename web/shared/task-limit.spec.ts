import { TaskLimit } from './task-limit';

it('TaskLimit starts tasks in their order while there is room, also after a failed one', async () => {
  const limit = new TaskLimit(2);
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const add = (name: string) =>
    limit.run(
      () =>
        new Promise<string>((resolve, reject) => {
          started.push(name);
          ends.set(name, (error) => (error ? reject(error) : resolve(name)));
        }),
    );
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(add);
  expect(started).toEqual(['a', 'b']);
  ends.get('b')?.(new Error('of b'));
  await expect(b).rejects.toThrow('of b');
  expect(started).toEqual(['a', 'b', 'c']);
  ends.get('a')?.();
  ends.get('c')?.();
  expect(await Promise.all([a, c])).toEqual(['a', 'c']);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  ends.get('d')?.();
  expect(await d).toBe('d');
  const e = add('e');
  ends.get('e')?.();
  expect(await e).toBe('e');
});
