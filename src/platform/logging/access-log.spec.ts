import { redactTokens } from './access-log';

describe('redactTokens', () => {
  it.each([
    ['/api/v1/call/V1StGXR8_Z5jdHi6B-myTQ/validate', '/api/v1/call/[token]/validate'],
    ['/api/v1/call/V1StGXR8_Z5jdHi6B-myTQ/join', '/api/v1/call/[token]/join'],
    ['/api/v1/call/V1StGXR8_Z5jdHi6B-myTQ', '/api/v1/call/[token]'],
    ['/api/v1/call/V1StGXR8_Z5jdHi6B-myTQ?x=1', '/api/v1/call/[token]?x=1'],
    ['/call/V1StGXR8_Z5jdHi6B-myTQ', '/call/[token]'],
    ['/api/v1/call/%56%31/validate', '/api/v1/call/[token]/validate'],
    ['/x?token=abc', '/x?token=[redacted]'],
    ['/x?a=1&ticket=abc&b=2', '/x?a=1&ticket=[redacted]&b=2'],
    ['/x?ACCESS_TOKEN=abc.def', '/x?ACCESS_TOKEN=[redacted]'],
  ])('%s is logged as %s', (url, logged) => {
    expect(redactTokens(url)).toBe(logged);
  });

  it.each([
    '/api/v1/call/status/5b1f1c8e-6f0f-4b1e-9f57-0d3b8f0c9d11',
    '/api/v1/call/evaluate/5b1f1c8e-6f0f-4b1e-9f57-0d3b8f0c9d11',
    '/api/v1/call/cancel/5b1f1c8e-6f0f-4b1e-9f57-0d3b8f0c9d11',
    '/api/v1/call/resume',
    '/api/v1/call/turn-credentials',
    '/api/v1/calls/5b1f1c8e-6f0f-4b1e-9f57-0d3b8f0c9d11',
    '/api/v1/calls?search=token&page=2',
    '/healthz',
  ])('%s is not changed', (url) => {
    expect(redactTokens(url)).toBe(url);
  });
});
