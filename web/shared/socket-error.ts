/** A refused or unanswered event. `code` is that of the service, or `timeout` or `disconnected`. */
export class SocketError extends Error {
  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(detail);
    this.name = 'SocketError';
  }
}
