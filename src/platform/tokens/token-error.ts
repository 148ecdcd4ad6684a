/** A token that was rejected. */
export class TokenError extends Error {
  constructor(readonly code: 'token_expired' | 'token_invalid') {
    super(code);
  }
}
