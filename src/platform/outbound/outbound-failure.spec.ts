import { OutboundFailure, phraseOf } from './outbound-failure';

describe('phraseOf', () => {
  it.each([
    [{ code: 'ECONNREFUSED' }, 'connection refused'],
    [{ code: 'ECONNRESET' }, 'connection broke off'],
    [{ code: 'EPIPE' }, 'connection broke off'],
    [{ code: 'EHOSTUNREACH' }, 'host not reachable'],
    [{ code: 'ENETUNREACH' }, 'host not reachable'],
    [{ code: 'ETIMEDOUT' }, 'host not reachable'],
    [{ code: 'HPE_HEADER_OVERFLOW' }, 'headers of the answer too large'],
    [{ code: 'HPE_INVALID_CONSTANT' }, 'answer is not HTTP'],
    [{ code: 'EPROTO' }, 'TLS handshake failed'],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'TLS handshake failed'],
    [new OutboundFailure('address not allowed'), 'address not allowed'],
    [new Error('connect 10.0.0.1:443'), 'connection failed'],
    [{ code: 'toString' }, 'connection failed'],
  ])('of %j is %j', (failure, phrase) => expect(phraseOf(failure)).toBe(phrase));
});
