import { settleAll } from './settle-all';

describe('settleAll', () => {
  it('returns the values in the order of the promises', async () => {
    const slow = new Promise<string>((resolve) => setImmediate(resolve, 'slow'));
    expect(await settleAll([slow, Promise.resolve('fast')])).toEqual(['slow', 'fast']);
  });

  it('throws the first error in the order of the promises', async () => {
    const later = new Promise<never>((_, reject) => setImmediate(reject, new Error('first of the list')));
    await expect(settleAll([later, Promise.reject(new Error('second'))])).rejects.toThrow(
      'first of the list',
    );
  });

  it('throws when all promises have settled', async () => {
    let isPending = true;
    const slow = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      isPending = false;
    });
    await expect(settleAll([Promise.reject(new Error('fails at once')), slow])).rejects.toThrow('fails');
    expect(isPending).toBe(false);
  });
});
