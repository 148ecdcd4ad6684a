import { jsonBodyLimitOf } from './json-body-limits';

const KIB = 1024;

describe('jsonBodyLimitOf', () => {
  it.each([
    ['/api/auth/login', 16 * KIB],
    ['/api/auth/refresh', 16 * KIB],
    ['/api/auth/logout', 16 * KIB],
    ['/api/signup/register', 16 * KIB],
    ['/api/v1/call/nolink/join', 16 * KIB],
    ['/API/V1/Call/nolink/join/', 16 * KIB],
    ['/api/v1/call/resume', 16 * KIB],
    ['/reset-password', 16 * KIB],
    ['/nothing', 16 * KIB],
    ['/', 16 * KIB],
    ['/api/v1/calls/1/notes', 128 * KIB],
    ['/api/v1/users', 128 * KIB],
    ['/api/v1/webhooks/1/replay', 128 * KIB],
    ['/api/v1/access-links', 128 * KIB],
    ['/api/v1/access-links/batch', 256 * KIB],
    ['/API/v1/Access-Links/BATCH/', 256 * KIB],
    ['/api/v1/access-links/batch/x', 128 * KIB],
    ['/api/webhooks/asaas', 0],
    ['/API/Webhooks/asaas', 0],
  ])('of %s is %d', (path, bytes) => {
    expect(jsonBodyLimitOf(path, { authorization: 'Bearer a.b-1.c_2' }).bytes).toBe(bytes);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Bearer a.b',
    'Bearer a.b.c.d',
    'Bearer a.b.c d',
    'Bearer a..c',
    'Basic a.b.c',
    'a.b.c',
  ])('is that of public routes for staff who send "Authorization: %s"', (authorization) => {
    expect(jsonBodyLimitOf('/api/v1/access-links/batch', { authorization }).bytes).toBe(16 * KIB);
    expect(jsonBodyLimitOf('/api/v1/users', { authorization }).bytes).toBe(16 * KIB);
    expect(jsonBodyLimitOf('/api/webhooks/asaas', { authorization }).bytes).toBe(0);
  });

  it.each([
    ['/api/v1/access-links/batch', 16_384],
    ['/api/v1/access-links', 2048],
    ['/api/auth/login', 256],
  ])('of %s is %d values, and 256 without a token', (path, values) => {
    expect(jsonBodyLimitOf(path, { authorization: 'Bearer a.b.c' }).values).toBe(values);
    expect(jsonBodyLimitOf(path, {}).values).toBe(256);
  });
});
