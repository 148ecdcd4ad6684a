import type { Config } from '../config/config';
import { SealError, SecretBox } from './secret-box';

const OLD = 'the key of last year';
const NEW = 'the key of this year';
const PURPOSE = 'mfa_secret of 3f0c2a52';

const box = (...encryptionKeys: string[]) => new SecretBox({ encryptionKeys } as Config);

describe('SecretBox', () => {
  it.each(['', 'JBSWY3DPEHPK3PXP', 'Açaí 🔑', 'x'.repeat(10_000)])(
    'opens what it has sealed: %.20s',
    (text) => {
      const sealed = box(OLD).seal(text, PURPOSE);
      if (text) expect(sealed).not.toContain(text);
      expect(box(OLD).open(sealed, PURPOSE)).toBe(text);
    },
  );

  it('seals the same text differently each time', () => {
    expect(box(OLD).seal('same', PURPOSE)).not.toBe(box(OLD).seal('same', PURPOSE));
  });

  it('seals with the first key and opens with both', () => {
    const sealed = box(OLD).seal('secret', PURPOSE);
    // A rotation adds the new key as the second one, then makes it the first one, then removes the old one.
    expect(box(OLD, NEW).open(box(NEW).seal('secret', PURPOSE), PURPOSE)).toBe('secret');
    const rotating = box(NEW, OLD);
    expect(rotating.open(sealed, PURPOSE)).toBe('secret');
    expect(sealed.startsWith(rotating.currentPrefix)).toBe(false);
    const resealed = rotating.seal(rotating.open(sealed, PURPOSE), PURPOSE);
    expect(resealed.startsWith(rotating.currentPrefix)).toBe(true);
    expect(box(NEW).open(resealed, PURPOSE)).toBe('secret');
    expect(() => box(NEW).open(sealed, PURPOSE)).toThrow(SealError);
  });

  it('refuses text that was changed, moved or invented', () => {
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
