import { ObjectNotFoundError, StorageUnavailableError } from '../../../platform/storage/storage';
import { AiError, connectionError } from './ai-error';
import { classifyFailure } from './classify-failure';

const NOW = new Date('2026-01-31T12:00:00.000Z');

const answered = (status: number, code?: unknown) => Object.assign(new Error('words'), { status, code });
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('classifyFailure', () => {
  it.each<[string, unknown, string, string]>([
    ['a wrong key', answered(401, 'invalid_api_key'), 'http_401', 'Error, invalid_api_key'],
    ['no right to the model', answered(403), 'http_403', 'Error'],
    ['a request timeout', answered(408), 'http_408', 'Error'],
    ['a conflict', answered(409), 'http_409', 'Error'],
    ['a rate limit', answered(429), 'http_429', 'Error'],
    ['a redirect', answered(307), 'http_307', 'Error'],
    ['a server error', answered(500), 'http_500', 'Error'],
    ['no server', connectionError(refused), 'unreachable', 'ECONNREFUSED'],
    [
      'no server, wrapped by the client',
      Object.assign(new Error('Connection error.'), { cause: connectionError(refused) }),
      'unreachable',
      'ECONNREFUSED',
    ],
    ['an incomplete response', connectionError(new Error('aborted')), 'unreachable', ''],
    ['our timeout', new AiError('timeout'), 'timeout', ''],
    ['invalid JSON', new SyntaxError('Unexpected token Ana'), 'invalid_answer', 'SyntaxError'],
    ['an oversized response', new AiError('invalid_answer', 'too large'), 'invalid_answer', 'too large'],
    [
      'an unavailable storage',
      new StorageUnavailableError(Object.assign(new Error(), { code: 'ENOSPC' })),
      'storage_unavailable',
      'StorageUnavailableError, storage_unavailable, ENOSPC',
    ],
    ['a bug', new TypeError('x is undefined'), 'unexpected', 'TypeError'],
    ['undefined', undefined, 'unexpected', 'Object'],
    ['a sentence in place of a code', answered(500, 'Ana said: hello'), 'http_500', 'Error'],
    ['a code that is not a string', answered(500, { a: 1 }), 'http_500', 'Error'],
  ])('treats %s as temporary', (_what, error, code, reason) => {
    expect(classifyFailure(error, NOW)).toEqual({ code, reason, isPermanent: false, retryAfterSeconds: 0 });
  });

  it.each([
    [answered(400), 'http_400'],
    [answered(404), 'http_404'],
    [answered(413), 'http_413'],
    [answered(415), 'http_415'],
    [answered(422), 'http_422'],
    [new ObjectNotFoundError('a/b'), 'recording_missing'],
    [new AiError('not_allowed'), 'not_allowed'],
    [new AiError('not_configured'), 'not_configured'],
  ])('treats %j as permanent', (error, code) => {
    expect(classifyFailure(error, NOW)).toMatchObject({ code, isPermanent: true });
  });

  it.each([
    ['7', 7],
    ['Sat, 31 Jan 2026 12:01:30 GMT', 90],
    ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
    ['soon', 0],
    ['-5', 0],
    ['', 0],
  ])('reads a Retry-After of %j as %i seconds', (value, seconds) => {
    const error = Object.assign(answered(429), { headers: new Headers({ 'retry-after': value }) });
    expect(classifyFailure(error, NOW).retryAfterSeconds).toBe(seconds);
  });
});
