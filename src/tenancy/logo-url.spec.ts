import { ApiError } from '../platform/http/errors/api-error';
import { absolutePictureUrl } from './pictures/picture-url';
import { logoPath, logoUrlToStore } from './logo-url';

const HOME = 'https://calls.example.com';
const UPLOADED = logoPath('3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11', 'ab12');
const EXTERNAL = 'https://cdn.example.com/logo.png';

describe('absolutePictureUrl', () => {
  it.each([
    [null, null],
    [UPLOADED, `${HOME}${UPLOADED}`],
    [EXTERNAL, EXTERNAL],
  ])('returns %s as %s', (stored, absolute) => {
    expect(absolutePictureUrl(stored, HOME)).toBe(absolute);
  });
});

describe('logoUrlToStore', () => {
  it.each([
    ['null', null, UPLOADED, null],
    ['null when there is no logo', null, null, null],
    ['the current uploaded logo', `${HOME}${UPLOADED}`, UPLOADED, UPLOADED],
    ['the current external URL', EXTERNAL, EXTERNAL, EXTERNAL],
    [
      'a current URL that would be rejected now',
      'http://old.example/x.png',
      'http://old.example/x.png',
      'http://old.example/x.png',
    ],
    ['another URL', EXTERNAL, UPLOADED, EXTERNAL],
    [
      'a URL in canonical form',
      'https://CDN.example.com/my "logo".png',
      null,
      'https://cdn.example.com/my%20%22logo%22.png',
    ],
    ['another URL on our host', `${HOME}/about/logo.png`, null, `${HOME}/about/logo.png`],
  ])('accepts %s', (_what, given, current, stored) => {
    expect(logoUrlToStore(given, current, HOME)).toBe(stored);
  });

  it.each([
    'logo.png',
    '/logo.png',
    UPLOADED,
    '//cdn.example.com/logo.png',
    'http://cdn.example.com/logo.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'https://user:secret@cdn.example.com/logo.png',
    'https://',
    `https://cdn.example.com/${'ã'.repeat(400)}`,
    `${HOME}${UPLOADED}`,
    `${HOME}${logoPath('3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11', 'cd34')}`,
  ])('rejects %s', (given) => {
    expect(() => logoUrlToStore(given, null, HOME)).toThrow(ApiError);
  });
});
