import { describeFailure, OutboundError } from './outbound-request';

describe('describeFailure', () => {
  it.each([
    [{ code: 'ECONNREFUSED' }, 'connection refused'],
    [{ code: 'ECONNRESET' }, 'connection closed early'],
    [{ code: 'EPIPE' }, 'connection closed early'],
    [{ code: 'EHOSTUNREACH' }, 'host unreachable'],
    [{ code: 'ENETUNREACH' }, 'host unreachable'],
    [{ code: 'ETIMEDOUT' }, 'host unreachable'],
    [{ code: 'HPE_HEADER_OVERFLOW' }, 'response headers too large'],
    [{ code: 'HPE_INVALID_CONSTANT' }, 'response is not HTTP'],
    [{ code: 'EPROTO' }, 'TLS handshake failed'],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'TLS handshake failed'],
    [new OutboundError('address not allowed'), 'address not allowed'],
    [new Error('connect 10.0.0.1:443'), 'connection failed'],
    [{ code: 'toString' }, 'connection failed'],
  ])('of %j is %j', (failure, phrase) => expect(describeFailure(failure)).toBe(phrase));
});
