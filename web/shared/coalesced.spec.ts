import { coalesced } from './coalesced';

describe('coalesced', () => {
  let ends: ((goesOn: boolean) => void)[];
  const task = () => new Promise<boolean>((resolve) => ends.push(resolve));
  beforeEach(() => {
    ends = [];
  });

  /** Ends the newest run. */
  const end = async (goesOn: boolean) => {
    ends.at(-1)?.(goesOn);
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };

  it('runs once more after a run during which it was called, however often', async () => {
    const run = coalesced(task);
    for (let i = 0; i < 5; i++) run();
    expect(ends).toHaveLength(1);
    await end(true);
    expect(ends).toHaveLength(2);
    await end(true);
    expect(ends).toHaveLength(2);
  });

  it('does not run again when that is no longer wanted, but when it is called again', async () => {
    const run = coalesced(task);
    run();
    run();
    await end(false);
    expect(ends).toHaveLength(1);
    run();
    expect(ends).toHaveLength(2);
  });
});
