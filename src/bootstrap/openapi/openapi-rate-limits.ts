import type { OpenAPIObject } from '@nestjs/swagger';
import { RATE_LIMIT_HEADERS } from '../../platform/rate-limit/rate-limit.headers';
import type { Operation } from './openapi-operation';

type Header = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>[string];

const header = (type: 'string' | 'integer', description: string, example: string | number): Header => ({
  description,
  schema: { type, example },
});

/** The headers of all rate limits, as components. */
export const RATE_LIMIT_COMPONENTS: Record<(typeof RATE_LIMIT_HEADERS)[number], Header> = {
  'RateLimit-Policy': header(
    'string',
    'The limits that count the request: name, quota `q`, window `w` in seconds (draft-ietf-httpapi-ratelimit-headers)',
    '"auth";q=5;w=60, "auth_address";q=30;w=60',
  ),
  RateLimit: header(
    'string',
    'What is left of each limit: remaining requests `r`, seconds to the reset `t` (draft-ietf-httpapi-ratelimit-headers)',
    '"auth";r=3;t=42, "auth_address";r=28;t=42',
  ),
  'RateLimit-Limit': header('integer', 'Quota of the limit that is closest to exhaustion', 5),
  'RateLimit-Remaining': header('integer', 'Remaining requests of that limit', 3),
  'RateLimit-Reset': header('integer', 'Seconds until that limit is reset', 42),
};

/** The headers, for an answer. */
export const RATE_LIMIT_REFS = Object.fromEntries(
  RATE_LIMIT_HEADERS.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** Names the operation's rate limit policy, and adds the headers to its successes and to a 429 of its own. */
export function describeRateLimit(operation: Operation): void {
  operation['x-rate-limit'] ??= 'api';
  if (operation['x-rate-limit'] === 'none') return;
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!response || '$ref' in response || (status >= '400' && status !== '429')) continue;
    response.headers = { ...response.headers, ...RATE_LIMIT_REFS };
  }
}
