import { ApiError } from '../platform/http/errors/api-error';
import { absoluteLogoUrl, logoPath, storedLogoUrl } from './logo-url';

const HOME = 'https://calls.example.com';
const UPLOADED = logoPath('3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11', 'ab12');
const ELSEWHERE = 'https://cdn.example.com/logo.png';

describe('absoluteLogoUrl', () => {
  it.each([
    [null, null],
    [UPLOADED, `${HOME}${UPLOADED}`],
    [ELSEWHERE, ELSEWHERE],
  ])('shows %s as %s', (stored, shown) => {
    expect(absoluteLogoUrl(stored, HOME)).toBe(shown);
  });
});

describe('storedLogoUrl', () => {
  it.each([
    ['none', null, UPLOADED, null],
    ['none when there is none', null, null, null],
    ['the uploaded one, put back', `${HOME}${UPLOADED}`, UPLOADED, UPLOADED],
    ['the present address, put back', ELSEWHERE, ELSEWHERE, ELSEWHERE],
    [
      'an odd present address, put back',
      'http://old.example/x.png',
      'http://old.example/x.png',
      'http://old.example/x.png',
    ],
    ['another address', ELSEWHERE, UPLOADED, ELSEWHERE],
    [
      'an address as browsers write it',
      'https://CDN.example.com/my "logo".png',
      null,
      'https://cdn.example.com/my%20%22logo%22.png',
    ],
    ['another address on our host', `${HOME}/about/logo.png`, null, `${HOME}/about/logo.png`],
  ])('takes %s', (_what, given, present, stored) => {
    expect(storedLogoUrl(given, present, HOME)).toBe(stored);
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
  ])('refuses %s', (given) => {
    expect(() => storedLogoUrl(given, null, HOME)).toThrow(ApiError);
  });
});
