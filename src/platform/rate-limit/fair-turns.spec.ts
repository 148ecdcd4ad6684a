import { setImmediate } from 'node:timers/promises';
import { FairTurns } from './fair-turns';

/** Asks for a turn for each of the addresses at once. @returns those whose turn has come, in this order */
function ask(turns: FairTurns, addresses: string[]): string[] {
  const begun: string[] = [];
  for (const address of addresses) void turns.next(address).then(() => begun.push(address));
  return begun;
}

describe('turns of the event loop', () => {
  it('come at once while nobody else has one', async () => {
    const turns = new FairTurns();
    for (const address of ['a', 'a', 'b']) {
      const begun = ask(turns, [address]);
      await Promise.resolve();
      expect(begun).toEqual([address]);
      await setImmediate();
    }
  });

  it('come one in each turn of the event loop, and to the addresses one after another', async () => {
    const turns = new FairTurns();
    const begun = ask(turns, ['a', 'a', 'a', 'a', 'b', 'b', 'c']);
    expect([turns.waiting('a'), turns.waiting('c')]).toEqual([3, 1]);
    for (const count of [1, 2, 3, 4, 5, 6, 7]) {
      await Promise.resolve();
      expect(begun).toHaveLength(count);
      await setImmediate();
    }
    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
    expect(turns.waiting('a')).toBe(0);
  });

  it('come to an address that asks now before all others that an address has asked for', async () => {
    const turns = new FairTurns();
    const begun = ask(
      turns,
      Array.from({ length: 50 }, () => 'a'),
    );
    await setImmediate();
    const late = ask(turns, ['b']);
    await setImmediate();
    await setImmediate();
    expect(late).toEqual(['b']);
    expect(begun.length).toBeLessThan(5);
  });
});
