import type { Config } from '../config/config';
import { SealError, SecretBox } from './secret-box';

const OLD = 'the key of last year';
const NEW = 'the key of this year';
const PURPOSE = 'mfa_secret of 3f0c2a52';

const box = (...encryptionKeys: string[]) => new SecretBox({ encryptionKeys } as Config);

describe('a secret box', () => {
  it.each(['', 'JBSWY3DPEHPK3PXP', 'Açaí 🔑', 'x'.repeat(10_000)])('opens what it sealed: %.20s', (text) => {
    const sealed = box(OLD).seal(text, PURPOSE);
    if (text) expect(sealed).not.toContain(text);
    expect(box(OLD).open(sealed, PURPOSE)).toBe(text);
  });

  it('never seals alike twice', () => {
    expect(box(OLD).seal('same', PURPOSE)).not.toBe(box(OLD).seal('same', PURPOSE));
  });

  it('rotates: both keys open, the first one seals', () => {
    const sealed = box(OLD).seal('secret', PURPOSE);
    // First the new key is made known everywhere, then it seals, then the old one is dropped.
    expect(box(OLD, NEW).open(box(NEW).seal('secret', PURPOSE), PURPOSE)).toBe('secret');
    const rotating = box(NEW, OLD);
    expect(rotating.open(sealed, PURPOSE)).toBe('secret');
    expect(sealed.startsWith(rotating.currentPrefix)).toBe(false);
    const anew = rotating.seal(rotating.open(sealed, PURPOSE), PURPOSE);
    expect(anew.startsWith(rotating.currentPrefix)).toBe(true);
    expect(box(NEW).open(anew, PURPOSE)).toBe('secret');
    expect(() => box(NEW).open(sealed, PURPOSE)).toThrow(SealError);
  });

  it('opens nothing that was changed, moved or made up', () => {
    const sealed = box(OLD).seal('secret', PURPOSE);
    const [id = '', text = ''] = sealed.split('.');
    const flipped = Buffer.from(text, 'base64url');
    flipped[14] = (flipped[14] ?? 0) ^ 1;
    const bad: [string, string][] = [
      [sealed, 'mfa_secret of another user'],
      [`${id}.${flipped.toString('base64url')}`, PURPOSE],
      [`${id}.${text.slice(0, -4)}`, PURPOSE],
      [`${id}.`, PURPOSE],
      [id, PURPOSE],
      ['', PURPOSE],
      [`other.${text}`, PURPOSE],
    ];
    for (const [given, purpose] of bad) expect(() => box(OLD).open(given, purpose)).toThrow(SealError);
  });
});
