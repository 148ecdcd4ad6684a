import { JwtService } from '@nestjs/jwt';
import type { Config } from '../config/config';
import { TokenError } from './token-keys';
import { TokenKeys } from './token-keys';
import { TokensService } from './tokens.service';

const SECRET = 'a secret of more than thirty-two characters';
const CLAIMS = { sub: 'user', tid: 'tenant', sid: 'Sessão “1”' };

const keys = new TokenKeys({ jwtSecrets: [SECRET] } as Config);
const library = new JwtService({ secret: SECRET });
const tokens = new TokensService(library, keys);

const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

const signByLibrary = (claims: object, ttl = 900) =>
  library.sign(claims, {
    algorithm: 'HS256',
    audience: 'staff',
    expiresIn: ttl,
    keyid: keys.signingKeyId,
  });

afterEach(() => jest.useRealTimers());

describe('a token of the service', () => {
  it.each([CLAIMS, {}, { sub: 'call', dev: 2 }])(
    'with the claims %j names its key, its audience and its times',
    (claims) => {
      jest.useFakeTimers({ now: 1_800_000_000_500 });
      const [header, payload] = tokens.sign('staff', claims, 900).split('.').slice(0, 2).map(decoded);
      expect(header).toEqual({ alg: 'HS256', typ: 'JWT', kid: keys.signingKeyId });
      expect(payload).toEqual({ ...claims, aud: 'staff', iat: 1_800_000_000, exp: 1_800_000_900 });
    },
  );

  it('is verified by the library, and that of the library by the service', () => {
    const token = tokens.sign('staff', CLAIMS, 900);
    const verified = library.verify<object>(token, { algorithms: ['HS256'], audience: 'staff' });
    expect(verified).toMatchObject(CLAIMS);
    expect(tokens.verify('staff', token)).toEqual(verified);
    expect(tokens.verify('staff', signByLibrary(CLAIMS))).toMatchObject(CLAIMS);
  });

  it('is rejected for another audience, by another key, when it has expired, and when it was changed', () => {
    const token = tokens.sign('staff', CLAIMS, 900);
    const [header, , signature] = token.split('.');
    const [, otherClaims] = tokens.sign('staff', { ...CLAIMS, sub: 'other' }, 900).split('.');
    const others = new TokensService(new JwtService({ secret: `other ${SECRET}` }), keys);
    const invalid = new TokenError('token_invalid');
    expect(() => tokens.verify('customer', token)).toThrow(invalid);
    expect(() => others.verify('staff', token)).toThrow(invalid);
    expect(() => tokens.verify('staff', `${header}.${otherClaims}.${signature}`)).toThrow(invalid);
    expect(() => tokens.verify('staff', tokens.sign('staff', CLAIMS, -1))).toThrow(
      new TokenError('token_expired'),
    );
  });
});
