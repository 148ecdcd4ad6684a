import { isRecoveryCode, newRecoveryCodes, normalizeRecoveryCode } from './recovery-codes';

describe('recovery codes', () => {
  it('are ten different codes of 80 bits', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(newRecoveryCodes()).not.toEqual(codes);
  });

  it.each([
    ['7k2m-ljqd-e4tv-y3ho', '7k2mljqde4tvy3ho'],
    [' 7K2M LJQD E4TV Y3HO ', '7k2mljqde4tvy3ho'],
    ['7k2mljqde4tvy3h0', '7k2mljqde4tvy3ho'],
    ['', ''],
  ])('are recognised however they are typed: %p', (typed, code) => {
    expect(normalizeRecoveryCode(typed)).toBe(code);
  });

  it('are distinguished from codes of the app', () => {
    for (const code of newRecoveryCodes()) expect(isRecoveryCode(code.toUpperCase())).toBe(true);
    for (const code of ['123456', '123 456', '', '1234567890123456', 'aaaa-bbbb-cccc']) {
      expect(isRecoveryCode(code)).toBe(false);
    }
  });
});
