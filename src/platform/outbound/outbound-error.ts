/** Why a request failed, in a phrase that may be shown to tenants: it names no addresses. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
}

const PHRASES = new Map(
  Object.entries({
    ECONNREFUSED: 'connection refused',
    ECONNRESET: 'connection closed early',
    EPIPE: 'connection closed early',
    EHOSTUNREACH: 'host unreachable',
    ENETUNREACH: 'host unreachable',
    EADDRNOTAVAIL: 'host unreachable',
    EHOSTDOWN: 'host unreachable',
    ETIMEDOUT: 'host unreachable',
    HPE_HEADER_OVERFLOW: 'response headers too large',
  }),
);

/**
 * A fixed phrase for the error of a failed request. Node's own messages are not shown, since they name
 * addresses.
 */
export function describeFailure(failure: unknown): string {
  if (failure instanceof OutboundError) return failure.message;
  const { code = '' } = failure as NodeJS.ErrnoException;
  if (code.startsWith('HPE_')) return PHRASES.get(code) ?? 'response is not HTTP';
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'TLS handshake failed';
  return PHRASES.get(code) ?? 'connection failed';
}
