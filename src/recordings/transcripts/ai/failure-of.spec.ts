import { ObjectNotFoundError, StorageUnavailableError } from '../../../platform/storage/storage';
import { AiFailure, unreachable } from './ai-failure';
import { failureOf } from './failure-of';

const NOW = new Date('2026-01-31T12:00:00.000Z');

const answered = (status: number, code?: unknown) => Object.assign(new Error('words'), { status, code });
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('failureOf', () => {
  it.each<[string, unknown, string, string]>([
    ['a key that is wrong', answered(401, 'invalid_api_key'), 'http_401', 'Error, invalid_api_key'],
    ['no right to the model', answered(403), 'http_403', 'Error'],
    ['a request timeout', answered(408), 'http_408', 'Error'],
    ['a conflict', answered(409), 'http_409', 'Error'],
    ['a rate limit', answered(429), 'http_429', 'Error'],
    ['a redirect', answered(307), 'http_307', 'Error'],
    ['a server error', answered(500), 'http_500', 'Error'],
    ['no server', unreachable(refused), 'unreachable', 'ECONNREFUSED'],
    [
      'no server, as the client says it',
      Object.assign(new Error('Connection error.'), { cause: unreachable(refused) }),
      'unreachable',
      'ECONNREFUSED',
    ],
    ['an answer that broke off', unreachable(new Error('aborted')), 'unreachable', ''],
    ['our own patience', new AiFailure('timeout'), 'timeout', ''],
    ['no JSON', new SyntaxError('Unexpected token Ana'), 'invalid_answer', 'SyntaxError'],
    ['a lie', new AiFailure('invalid_answer', 'too large'), 'invalid_answer', 'too large'],
    [
      'a storage out of reach',
      new StorageUnavailableError(Object.assign(new Error(), { code: 'ENOSPC' })),
      'storage_unavailable',
      'StorageUnavailableError, storage_unavailable, ENOSPC',
    ],
    ['a mistake of ours', new TypeError('x is undefined'), 'unexpected', 'TypeError'],
    ['nothing', undefined, 'unexpected', 'Object'],
    ['words for a code', answered(500, 'Ana said: hello'), 'http_500', 'Error'],
    ['a code that is none', answered(500, { a: 1 }), 'http_500', 'Error'],
  ])('lets %s be tried again', (_what, error, code, reason) => {
    expect(failureOf(error, NOW)).toEqual({ code, reason, permanent: false, retry_after: 0 });
  });

  it.each([
    [answered(400), 'http_400'],
    [answered(404), 'http_404'],
    [answered(413), 'http_413'],
    [answered(415), 'http_415'],
    [answered(422), 'http_422'],
    [new ObjectNotFoundError('a/b'), 'recording_missing'],
    [new AiFailure('not_allowed'), 'not_allowed'],
    [new AiFailure('not_configured'), 'not_configured'],
  ])('takes %j for final', (error, code) => {
    expect(failureOf(error, NOW)).toMatchObject({ code, permanent: true });
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
    expect(failureOf(error, NOW).retry_after).toBe(seconds);
  });
});
