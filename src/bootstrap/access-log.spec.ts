import { redactUrl } from './access-log';

describe('redactUrl', () => {
  it.each([
    ['/api/v1/call/V1StGXR8_Z5jdHi6B-myTQ/validate', '/api/v1/call/[token]/validate'],
    ['/api/v1/call/V1StGXR8_Z5jdHi6B-myTQ/join', '/api/v1/call/[token]/join'],
    ['/api/v1/call/V1StGXR8_Z5jdHi6B-myTQ', '/api/v1/call/[token]'],
    ['/api/v1/call/V1StGXR8_Z5jdHi6B-myTQ?x=1', '/api/v1/call/[token]?x=[redacted]'],
    ['/call/V1StGXR8_Z5jdHi6B-myTQ', '/call/[token]'],
    ['/c/V1StGXR8_Z5jdHi6B-myTQ', '/c/[token]'],
    ['/c/V1StGXR8_Z5jdHi6B-myTQ/button?lang=pt', '/c/[token]/button?lang=[redacted]'],
    ['/api/v1/call/%56%31/validate', '/api/v1/call/[token]/validate'],
    ['/x?token=abc', '/x?token=[redacted]'],
    ['/x?a=1&ticket=abc&b=2', '/x?a=[redacted]&ticket=[redacted]&b=[redacted]'],
    ['/x?ACCESS_TOKEN=abc.def', '/x?ACCESS_TOKEN=[redacted]'],
    [
      '/api/v1/customers?search=ana@example.com&page=2',
      '/api/v1/customers?search=[redacted]&page=[redacted]',
    ],
    ['/x?V1StGXR8_Z5jdHi6B-myTQ', '/x?[redacted]'],
    ['/x?V1StGXR8=1&a=b?c=d', '/x?[redacted]&a=[redacted]'],
    ['/x?', '/x?[redacted]'],
  ])('%s is logged as %s', (url, logged) => {
    expect(redactUrl(url)).toBe(logged);
  });

  it.each([
    '/api/v1/call/status/5b1f1c8e-6f0f-4b1e-9f57-0d3b8f0c9d11',
    '/api/v1/call/evaluate/5b1f1c8e-6f0f-4b1e-9f57-0d3b8f0c9d11',
    '/api/v1/call/cancel/5b1f1c8e-6f0f-4b1e-9f57-0d3b8f0c9d11',
    '/api/v1/call/resume',
    '/api/v1/call/turn-credentials',
    '/api/v1/calls/5b1f1c8e-6f0f-4b1e-9f57-0d3b8f0c9d11',
    '/healthz',
  ])('%s is not changed', (url) => {
    expect(redactUrl(url)).toBe(url);
  });
});
