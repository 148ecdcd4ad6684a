import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { fake } from '../../../test/support/fake';
import type { Config } from '../../platform/config/config';
import type { TokenKeys } from '../../platform/tokens/token-keys';
import { ResumeLinks } from './resume-links';

const key = createSecretKey(randomBytes(32));
const links = new ResumeLinks(fake<TokenKeys>({ all: [key], signing: key }), {
  publicUrl: 'https://calls.example.com',
} as Config);

const tokenOf = (callId: string): string => links.urlOf(callId, 'abc').split('#resume=')[1] ?? '';

describe('the token of a resume link', () => {
  it.each([0x00, 0x7f, 0xf7, 0xf8, 0xfb, 0xfc, 0xff])(
    'of a call whose id begins with the byte %d begins and ends with a letter or digit, and leads to the call',
    (byte) => {
      for (let round = 0; round < 200; round++) {
        const id = byte.toString(16).padStart(2, '0') + randomUUID().slice(2);
        const token = tokenOf(id);
        expect(token).toMatch(/^[A-Za-z0-9][\w-]{41,42}[A-Za-z0-9]$/);
        expect(links.callOf(token)).toBe(id);
      }
    },
  );

  it('leads to the call also in the form of earlier releases', () => {
    const id = `ff${randomUUID().slice(2)}`;
    const token = tokenOf(id);
    expect(token).toHaveLength(44);
    expect(links.callOf(token.slice(1))).toBe(id);
  });

  it.each(['', 'x', 'r'.repeat(43), 'r'.repeat(44), 'r'.repeat(45)])('is not %j', (token) => {
    expect(links.callOf(token)).toBeUndefined();
  });
});
