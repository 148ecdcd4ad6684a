import type { IncomingMessage } from 'node:http';
import type { RawBodyRequest } from '@nestjs/common';

const GATEWAY_ROUTE = /^\/api\/webhooks\//i;

/**
 * The `verify` hook of the JSON body parser. Payment gateways sign the bytes that they send, so their
 * requests keep the body as received in `rawBody`; others do not, as that would hold their bodies in memory
 * twice.
 */
export function keepRawBody(
  request: RawBodyRequest<IncomingMessage>,
  _response: unknown,
  body: Buffer,
): void {
  if (GATEWAY_ROUTE.test(request.url ?? '')) request.rawBody = body;
}
