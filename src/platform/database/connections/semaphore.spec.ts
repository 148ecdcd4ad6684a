import { Semaphore } from './semaphore';

/** Acquires a place for each owner, in this order, and records whose turn it is. */
function acquireFor(semaphore: Semaphore, owners: string[]) {
  const turns: string[] = [];
  const held: { owner: string; release: () => void }[] = [];
  for (const owner of owners) {
    void semaphore.acquire(undefined, 10_000, owner).then((release) => {
      turns.push(owner);
      held.push({ owner, release });
    });
  }
  return { turns, held };
}

/** Waits until all pending promise callbacks have run. */
const idle = () => new Promise(setImmediate);

describe('Semaphore', () => {
  it('lets an owner with few places go before one that holds many, however long that one has waited', async () => {
    const { turns, held } = acquireFor(new Semaphore(2, 'busy'), ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'b']);
    for (await idle(); held.length > 0; await idle()) held.shift()?.release();
    expect(turns).toEqual(['a', 'a', 'b', 'a', 'c', 'b', 'a', 'a']);
  });

  it('leaves no place unused when only one owner waits', async () => {
    const { turns, held } = acquireFor(new Semaphore(3, 'busy'), ['a', 'a', 'a', 'a']);
    await idle();
    expect(turns).toEqual(['a', 'a', 'a']);
    // Otherwise the last one would stop waiting after the test, and its error would end the process.
    held.shift()?.release();
    await idle();
    expect(turns).toHaveLength(4);
  });

  it('forgets owners that neither hold nor wait for a place', async () => {
    const semaphore = new Semaphore(1, 'busy');
    const release = await semaphore.acquire(undefined, 10_000, 'a');
    await expect(semaphore.acquire(undefined, 1, 'b')).rejects.toThrow('busy');
    release();
    const { waiting, held } = semaphore as unknown as Record<string, Map<string, unknown>>;
    expect([waiting?.size, held?.size]).toEqual([0, 0]);
  });
});
