/** Why a request got no answer, in words that are fit for anybody. */
export class OutboundFailure extends Error {
  constructor(readonly phrase: string) {
    super(phrase);
    this.name = 'OutboundFailure';
  }
}

const PHRASES = new Map(
  Object.entries({
    ECONNREFUSED: 'connection refused',
    ECONNRESET: 'connection broke off',
    EPIPE: 'connection broke off',
    EHOSTUNREACH: 'host not reachable',
    ENETUNREACH: 'host not reachable',
    EADDRNOTAVAIL: 'host not reachable',
    EHOSTDOWN: 'host not reachable',
    ETIMEDOUT: 'host not reachable',
    HPE_HEADER_OVERFLOW: 'headers of the answer too large',
  }),
);

/** A fixed phrase for what Node says of a failed request: its own words name addresses. */
export function phraseOf(failure: unknown): string {
  if (failure instanceof OutboundFailure) return failure.phrase;
  const { code = '' } = failure as NodeJS.ErrnoException;
  if (code.startsWith('HPE_')) return PHRASES.get(code) ?? 'answer is not HTTP';
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'TLS handshake failed';
  return PHRASES.get(code) ?? 'connection failed';
}
